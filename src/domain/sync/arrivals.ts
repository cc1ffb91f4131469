import { isObject, listField, type Payload } from "../base/payload.ts";
import { childId, type ChildList, childValue } from "../tasks/child.ts";
import { CHILD_LISTS } from "../tasks/task-fields.ts";
import type { ChildFinder, StoredState } from "../tasks/filed.ts";

/** What a tab or note is known by in all versions of a record: its id, or else its URL or text. Null if it has neither. */
export const childKey = (list: ChildList, item: unknown): string | null => {
  const name = childId(item) ?? childValue(list, item);
  return name === null ? null : `${list} ${isObject(item) && childId(item) !== null} ${name}`;
};

/** The keys of a task's tabs and notes. */
export const childKeys = (payload: Payload): readonly string[] =>
  CHILD_LISTS.flatMap((list) =>
    listField(payload, list).flatMap((item) => childKey(list, item) ?? []),
  );

/**
 * Adds the tabs and notes with these keys, which a push brings, to the stored record. Returns null if there is nothing to
 * add.
 */
export const addArrivals = (
  stored: StoredState,
  pushed: Payload,
  keys: ReadonlySet<string>,
  findMovedChildren: ChildFinder,
): StoredState | null => {
  const added = CHILD_LISTS.flatMap((list) => {
    const there = stored.payload[list] ?? [];
    const arrivals = listField(pushed, list).filter((item) => keys.has(childKey(list, item) ?? ""));
    if (!Array.isArray(there) || arrivals.length === 0) return [];
    const items = [...there, ...arrivals];
    return [{ list, items, filed: findMovedChildren(list, there, items) }];
  });
  if (added.length === 0) return null;
  const lists = Object.fromEntries(added.map(({ list, items }) => [list, items])) as Payload;
  return {
    payload: { ...stored.payload, ...lists },
    deletedAt: stored.deletedAt,
    filed: [...stored.filed, ...added.flatMap(({ filed }) => filed)],
  };
};
