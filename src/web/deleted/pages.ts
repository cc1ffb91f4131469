import { ownPage, type Page } from "../shared/page.ts";
import { getDeleted } from "./deleted.tsx";
import { postRestoreAll, postRestoreOne } from "./restore.ts";

/** What devices deleted or put into the trash, and the way back. */
export const DELETED_PAGES: readonly Page[] = [
  ownPage("GET", "/account/deleted", getDeleted),
  ownPage("POST", "/account/deleted/restore", postRestoreOne),
  ownPage("POST", "/account/deleted/:id/restore", postRestoreAll),
];
