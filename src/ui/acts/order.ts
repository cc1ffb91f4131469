import { findInTree, type FolderNode, foldersIn } from "../../client/folder-tree.ts";
import { setBucket, setFolder, setTask, type TaskFields } from "../../client/edits.ts";
import { type Placed, placesFor, withoutTime } from "../../domain/tasks/positions.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { type Column, DONE, ownColumns } from "../state/board.ts";
import { folders, tasks, tree } from "../state/client.ts";
import { shownTasks } from "../state/lists.ts";
import { cursorMoves } from "../state/selection.ts";
import { count } from "../words/names.ts";
import { act } from "./act.ts";
import { change } from "./tasks.ts";

/** Puts tasks in front of another index of a list, and may change fields of theirs in the same step. */
export const arrange = (
  list: readonly Placed[],
  moved: readonly string[],
  at: number,
  fields: TaskFields = {},
  label = "Order changed",
): Promise<boolean> => {
  const edits = [...placesFor(list, moved, at)].map(([id, position]) =>
    setTask(id, moved.includes(id) ? { ...fields, position } : { position }),
  );
  return act(label, edits);
};

/** Puts tasks into a column of the board, in front of another index. One that was done is open again there. */
export const putInto = (
  { tasks: there, fields, key }: Column,
  ids: readonly string[],
  at: number,
): Promise<boolean> => {
  if (key === DONE) return change(ids, fields, `${count(ids.length, "task")} done`, true);
  const isDone = ids.some((id) => isClosed(tasks.value.get(id)?.status ?? ""));
  return arrange(there, ids, at, isDone ? { status: "todo", ...fields } : fields, "Task moved");
};

/** Moves one task up or down by one row of a list: what dragging does, by keyboard. */
export const nudge = async (
  id: string,
  by: -1 | 1,
  list: readonly Placed[] = shownTasks.value,
): Promise<void> => {
  const at = gapBeside(list, id, by);
  if (at === null) return;
  await arrange(list, [id], at);
  cursorMoves.value += 1;
};

/** The index in front of which something goes that moves by one; null if it is at the end already. */
const gapBeside = (list: readonly Placed[], id: string, by: -1 | 1): number | null => {
  const at = list.findIndex((one) => one.id === id);
  const to = at + by;
  if (at === -1 || to < 0 || to >= list.length) return null;
  return by === 1 ? to + 1 : to;
};

/** Puts a folder, with those below it, in front of another index of the list of folders. */
export const arrangeFolder = (id: string, at: number): Promise<boolean> => {
  const found = findInTree(tree.value, id);
  const moved = found ? foldersIn(found.node) : [id];
  return act(
    "Folder moved",
    [...placesFor(folders.value.map(withoutTime), moved, at)].map(([one, position]) =>
      setFolder(one, { position }),
    ),
  );
};

/** Puts a column in front of another index of the board's own columns. */
export const arrangeColumn = (id: string, at: number): Promise<boolean> =>
  act(
    "Column moved",
    [...placesFor(ownColumns.value.map(withoutTime), [id], at)].map(([one, position]) =>
      setBucket(one, { position }),
    ),
  );

/** Moves a folder past the next one at its place in the tree. Returns whether there was one. */
export const nudgeFolder = async (id: string, by: -1 | 1): Promise<boolean> => {
  const next = folderBeside(id, by);
  if (next === null) return false;
  const indexes = foldersIn(next).map((one) => folders.value.findIndex(({ id: it }) => it === one));
  return arrangeFolder(id, by === 1 ? Math.max(...indexes) + 1 : Math.min(...indexes));
};

/** What is above or below a folder, at its place in the tree; null if it is the first or last. */
export const folderBeside = (id: string, by: -1 | 1): FolderNode | null => {
  const found = findInTree(tree.value, id);
  if (!found) return null;
  const { beside, node } = found;
  return beside[beside.indexOf(node) + by] ?? null;
};

export const nudgeColumn = async (id: string, by: -1 | 1): Promise<boolean> => {
  const at = gapBeside(ownColumns.value, id, by);
  return at !== null && arrangeColumn(id, at);
};
