import type { Leash } from "../leash.ts";
import { deserialise } from "../payload.ts";
import type { Soon } from "../soon.ts";
import { readChildren } from "../task.ts";
import { findShown, type ShownTask } from "./leash.ts";
import type { Store } from "./open.ts";
import { filedOf } from "./records.ts";

/** A task. Missing, deleted, other people's and those beyond a leash are all not found. */
export const readShown = (
  store: Store,
  accountId: number,
  leash: Leash | null,
  id: string,
): Soon<ShownTask> => findShown(store.reader, accountId, leash, id);

/** The task's tabs and notes, each with who made it. */
export const taskChildren = (task: ShownTask) =>
  readChildren(deserialise(task.payload), filedOf(task));

/** The task with its tabs and notes, as JSON text: its stored row, with both lists put in. */
export const wholeTask = (task: ShownTask): string => {
  const { tabs, notes } = taskChildren(task);
  return `${task.row.slice(0, -1)},"tabs":${JSON.stringify(tabs)},"notes":${JSON.stringify(notes)}}`;
};
