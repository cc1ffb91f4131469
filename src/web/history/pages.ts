import { ownPage, type Page } from "../shared/page.ts";
import { getHistory } from "./history.tsx";
import { getRestore, postRestore } from "./restore.tsx";

/** What happened to a task, and how to restore it. */
export const HISTORY_PAGES: readonly Page[] = [
  ownPage("GET", "/account/tasks/:id/history", getHistory),
  ownPage("GET", "/account/tasks/:id/restore", getRestore),
  ownPage("POST", "/account/tasks/:id/restore", postRestore),
];
