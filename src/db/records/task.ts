import type { Restriction } from "../../domain/people/restriction.ts";
import { deserialise } from "../../domain/base/payload.ts";
import type { MaybePromise } from "../../domain/base/maybe-promise.ts";
import { readChildren } from "../../domain/tasks/children.ts";
import { findTaskView, type TaskView } from "./reach.ts";
import type { Store } from "../store.ts";
import { filedOf } from "../../domain/sync/row.ts";

/** A task. Missing, deleted, other people's and those beyond a restriction are all not found. */
export const readTaskView = (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
  id: string,
): MaybePromise<TaskView> => findTaskView(store.reader, accountId, restriction, id);

/** The task's tabs and notes, each with who made it. */
export const taskChildren = (task: TaskView) =>
  readChildren(deserialise(task.payload), filedOf(task));

/** The task with its tabs and notes, as JSON text: its stored row, with both lists put in. */
export const wholeTask = (task: TaskView): string => {
  const { tabs, notes } = taskChildren(task);
  return `${task.row.slice(0, -1)},"tabs":${JSON.stringify(tabs)},"notes":${JSON.stringify(notes)}}`;
};
