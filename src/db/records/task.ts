import type { Restriction } from "../../domain/people/api-key.ts";
import { readChildren } from "../../domain/tasks/children.ts";
import { findTaskView, type TaskView } from "./reach.ts";
import type { Store } from "../store.ts";
import { filedOf, parsedOf } from "../../domain/records/row.ts";
import { withFolderName } from "../../domain/tasks/projection.ts";
import { namesOf } from "../sqlite/records/folders.ts";

/**
 * Returns a task. Missing and deleted tasks, other accounts' tasks, and those outside a restriction are all
 * "not found". So are those in the trash, unless `trashed`: keys do not see them.
 */
export const readTaskView = async (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
  id: string,
  trashed = true,
): Promise<TaskView> => {
  const task = findTaskView(store.reader, accountId, restriction, id, trashed);
  const { folderId, row } = task;
  if (folderId === null) return task;
  const name = namesOf(store.reader, accountId, [folderId], restriction).get(folderId) ?? null;
  return { ...task, row: withFolderName(row, name) };
};

/** The task's tabs and notes, each with its author; of each list only the first `most`. */
export const taskChildren = (task: TaskView, most?: number) =>
  readChildren(parsedOf(task), filedOf(task), most);

/** The task as JSON text with its tabs and notes: the stored row with both lists added. */
export const wholeTask = (task: TaskView): string => {
  const { tabs, notes } = taskChildren(task);
  return `${task.row.slice(0, -1)},"tabs":${JSON.stringify(tabs)},"notes":${JSON.stringify(notes)}}`;
};
