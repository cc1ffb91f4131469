import { ownPage, type Page } from "../shared/page.ts";
import { getFolder } from "./folder.tsx";
import { getTask } from "./task.tsx";

/** The tasks and folders that keys have read or changed. */
export const TASK_PAGES: readonly Page[] = [
  ownPage("GET", "/account/tasks/:id", getTask),
  ownPage("GET", "/account/folders/:id", getFolder),
];
