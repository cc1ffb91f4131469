import { setTask, type TaskFields } from "../../client/edits.ts";
import { severalBetween } from "../../client/positions.ts";
import type { TaskView } from "../../client/views.ts";
import { shownTasks } from "../state/lists.ts";
import { cursorMoves } from "../state/selection.ts";
import { act } from "./act.ts";

/** The positions that tasks get, by id. */
type Placed = ReadonlyMap<string, string>;

/**
 * Returns the positions that put `moved` in front of index `at` of a list (which still holds the moved ones). Lists
 * show tasks without a position first, so where such tasks come below, they get one too.
 */
const placesFor = (list: readonly TaskView[], moved: readonly string[], at: number): Placed => {
  const rest = list.filter(({ id }) => !moved.includes(id));
  const above = list.slice(0, at).filter(({ id }) => !moved.includes(id)).length;
  const below = rest.slice(above);
  const firstPlaced = below.find(({ position }) => position !== null)?.position ?? null;
  const unplaced = ids(below.filter(({ position }) => position === null));
  try {
    return placed([...moved, ...unplaced], rest[above - 1]?.position ?? null, firstPlaced);
  } catch {
    // Positions of another client that do not sort: this list gets its own.
    return placed([...ids(rest.slice(0, above)), ...moved, ...ids(below)], null, null);
  }
};

const ids = (tasks: readonly TaskView[]): readonly string[] => tasks.map(({ id }) => id);

const placed = (named: readonly string[], before: string | null, after: string | null): Placed => {
  const places = severalBetween(before, after, named.length);
  return new Map(named.map((id, index) => [id, places[index] ?? ""]));
};

/** Puts tasks in front of another index of a list, and may change fields of theirs in the same step. */
export const arrange = (
  list: readonly TaskView[],
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

/** Moves one task up or down by one row: what dragging does, by keyboard. */
export const nudge = async (id: string, by: -1 | 1): Promise<void> => {
  const list = shownTasks.value;
  const at = list.findIndex((task) => task.id === id);
  const to = at + by;
  if (at === -1 || to < 0 || to >= list.length) return;
  await arrange(list, [id], by === 1 ? to + 1 : to);
  cursorMoves.value += 1;
};
