import {
  type ChildList,
  childId,
  childValue,
  type FiledChild,
  recogniseChildren,
} from "../tasks/child.ts";
import { CHILD_LISTS } from "../tasks/task-fields.ts";
import type { Content } from "../tasks/content.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import type { ChildFinder } from "../tasks/filed.ts";
import { listField, type Payload } from "../base/payload.ts";
import { instantText } from "../tasks/children.ts";

/** Looks up who filed the tabs and notes, and creates an id for one that has none. */
export type Restoring = {
  readonly findMovedChildren: ChildFinder;
  readonly newId: (now: Instant) => string;
  readonly now: Instant;
};

/**
 * Replaces the current payload with an earlier one. Tabs and notes keep their authors, and those that come
 * back count as filed now. A device that has not seen the restore can then neither remove them again nor
 * bring back the ones that it removed.
 */
export const restoreContent = (
  stored: Content,
  payload: Payload,
  restoring: Restoring,
): Content => {
  const lists = CHILD_LISTS.map((list) => restoreList(stored, payload, list, restoring));
  return { payload, filed: lists.flat() };
};

const restoreList = (
  { payload, filed }: Content,
  wanted: Payload,
  list: ChildList,
  restoring: Restoring,
): readonly FiledChild[] => {
  const mine = filed.filter((child) => child.list === list);
  const before = listField(payload, list);
  const after = listField(wanted, list);
  const known = recogniseChildren(mine, list, before, after).filter(({ at }) => at !== null);
  const indexes = new Set(known.map(({ at }) => at));
  const found = restoring
    .findMovedChildren(list, before, after)
    .filter(({ at }) => !indexes.has(at));
  const there = [...known, ...found];
  const own = without(before, mine);
  const free = without(after, there);
  // If the list itself is missing, the children that wait for it are not removed.
  const waiting = Array.isArray(wanted[list]) ? [] : mine.filter(({ at }) => at === null);
  const ids = new Set(there.map(({ id }) => id));
  const back = asFiled(list, surplus(list, free, own), ids, restoring);
  // In list order: a merge puts them back in this order when a device leaves them out.
  return [...[...there, ...back].toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)), ...waiting];
};

/** An item and its index in its list. */
type Placed = { readonly item: unknown; readonly at: number };

const without = (items: readonly unknown[], filed: readonly FiledChild[]): readonly Placed[] => {
  const taken = new Set(filed.map(({ at }) => at));
  return items.flatMap((item, at) => (taken.has(at) ? [] : [{ item, at }]));
};

/**
 * Makes an item that comes back look as if the person filed it now. A second item with the same id is a copy.
 */
const asFiled = (
  list: ChildList,
  items: readonly Placed[],
  known: ReadonlySet<string>,
  { newId, now }: Restoring,
): readonly FiledChild[] => {
  const ids = new Set(known);
  return items.flatMap(({ item, at }) => {
    const id = childId(item) ?? newId(now);
    if (ids.has(id)) return [];
    ids.add(id);
    const createdAt = instantText(item) ?? formatInstant(now);
    return [{ list, id, key: null, person: true as const, createdAt, at }];
  });
};

/** The items that occur more often in the first list than in the second. */
const surplus = (
  list: ChildList,
  here: readonly Placed[],
  there: readonly Placed[],
): readonly Placed[] => {
  const left = new Map<string, number>();
  const take = (key: string, times: number): number => {
    const had = left.get(key) ?? 0;
    left.set(key, had + times);
    return had;
  };
  for (const { item } of there) take(keyOf(list, item), 1);
  return here.filter(({ item }) => take(keyOf(list, item), -1) <= 0);
};

const keyOf = (list: ChildList, item: unknown): string => {
  const id = childId(item);
  return id === null ? `value ${childValue(list, item) ?? JSON.stringify(item)}` : `id ${id}`;
};
