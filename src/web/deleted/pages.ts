import { ownPage, type Page } from "../shared/page.ts";
import { getDeleted } from "./deleted.tsx";
import { postDismiss } from "./refused.tsx";
import { postRestoreAll, postRestoreOne } from "./restore.ts";

/** What devices deleted or moved to the trash, and how to restore it. */
export const DELETED_PAGES: readonly Page[] = [
  ownPage("GET", "/account/deleted", getDeleted),
  ownPage("POST", "/account/deleted/restore", postRestoreOne),
  ownPage("POST", "/account/deleted/:id/restore", postRestoreAll),
  ownPage("POST", "/account/deleted/refused/dismiss", postDismiss),
];
