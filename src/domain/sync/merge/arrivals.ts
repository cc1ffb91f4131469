import { listField, type Payload } from "../../base/payload.ts";
import { CHILD_LISTS } from "../../tasks/child.ts";
import type { Change } from "../change.ts";
import type { ChildFinder, StoredState } from "./merging.ts";

/**
 * Adds the filed tabs and notes with these ids, which a push brings, to the stored record. Returns null if there is
 * nothing to add.
 */
export const addArrivals = (
  stored: StoredState,
  change: Change,
  ids: ReadonlySet<string>,
  findMovedChildren: ChildFinder,
): StoredState | null => {
  const added = CHILD_LISTS.flatMap((list) => {
    const there = stored.payload[list] ?? [];
    const pushed = listField(change.payload, list);
    const moved = findMovedChildren(list, listField(stored.payload, list), pushed);
    const arrivals = moved.filter(({ id }) => ids.has(id));
    if (!Array.isArray(there) || arrivals.length === 0) return [];
    const items = [...there, ...arrivals.map(({ at }) => pushed[at ?? -1])];
    const filed = arrivals.map((child, index) => ({ ...child, at: there.length + index }));
    return [{ list, items, filed }];
  });
  if (added.length === 0) return null;
  const lists = Object.fromEntries(added.map(({ list, items }) => [list, items])) as Payload;
  return {
    payload: { ...stored.payload, ...lists },
    deletedAt: stored.deletedAt,
    filed: [...stored.filed, ...added.flatMap(({ filed }) => filed)],
  };
};
