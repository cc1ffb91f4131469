import { setTask, type TaskFields } from "../../client/edits.ts";
import { between, severalBetween } from "../../client/positions.ts";
import type { TaskView } from "../../client/views.ts";
import { shownTasks } from "../state/lists.ts";
import { cursorMoves } from "../state/selection.ts";
import { act } from "./act.ts";

/** The positions that tasks get, by id. */
type Placed = ReadonlyMap<string, string>;

/**
 * Returns the positions that put `moved` in front of index `at` of a list (which still holds the moved ones). Where
 * tasks above have no position yet, they get one too: lists show those without one last.
 */
const placesFor = (list: readonly TaskView[], moved: readonly string[], at: number): Placed => {
  const rest = list.filter(({ id }) => !moved.includes(id));
  const above = list.slice(0, at).filter(({ id }) => !moved.includes(id)).length;
  const before = rest[above - 1];
  if (before && before.position === null) return placeAll(rest.slice(0, above), moved);
  try {
    const after = rest[above]?.position ?? null;
    const places = severalBetween(before?.position ?? null, after, moved.length);
    return new Map(moved.map((id, index) => [id, places[index] ?? ""]));
  } catch {
    // Positions of another client that do not sort: this list gets its own.
    return placeAll(rest.slice(0, above), moved);
  }
};

const placeAll = (above: readonly TaskView[], moved: readonly string[]): Placed => {
  const ids = [...above.map(({ id }) => id), ...moved];
  const places = severalBetween(null, null, ids.length);
  return new Map(ids.map((id, index) => [id, places[index] ?? between(null, null)]));
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
