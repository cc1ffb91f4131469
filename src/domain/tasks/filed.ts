import { isObject, listField, type Payload } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import {
  childId,
  type ChildList,
  childValue,
  type FiledChild,
  recogniseChildren,
  suspendChildren,
} from "./child.ts";
import { CHILD_LISTS } from "./task-fields.ts";
import { instantText } from "./children.ts";

/** A stored record, with what was filed in it over REST. */
export type StoredState = RecordState & { readonly filed: readonly FiledChild[] };

/** The items of a list now, and those that wait for it because a device has left it out. */
export const itemsWithWaiting = (
  { payload, filed }: StoredState,
  list: ChildList,
): readonly unknown[] => {
  const there = listField(payload, list);
  const waiting = filed.flatMap((child) =>
    child.list === list && child.at === null && child.item != null ? [child.item] : [],
  );
  const known = counterparts(list, there, waiting);
  return [...there, ...waiting.filter((_, at) => known[at] === null)];
};

/** The items of a list that were filed, those that wait for it too. */
export const filedItems = ({ payload, filed }: StoredState, list: ChildList): readonly unknown[] =>
  suspendChildren(filed, list, listField(payload, list)).map(({ item }) => item);

/** A push, the content of the record after it, and whether nothing of REST was merged into it. */
type After = {
  readonly pushed: RecordState;
  readonly merged: Payload;
  readonly isPlain: boolean;
};

/** Returns the tabs and notes of a list that were filed over REST, and where they are after a push. */
export const filedAfter = (
  { payload, filed }: StoredState,
  { pushed, merged, isPlain }: After,
  list: ChildList,
  findMovedChildren: ChildFinder,
): readonly FiledChild[] => {
  const before = listField(payload, list);
  const sent = pushed.payload[list] ?? null;
  // The extension stores the list in another form, so nothing can be added to it.
  if (sent !== null && !Array.isArray(sent)) return suspendChildren(filed, list, before);
  const after = listField(merged, list);
  // The commonest case: nothing is filed in this record over REST. For a push of 500, it takes 0.14 ms instead of 0.77.
  if (isPlain && filed.length === 0) return findMovedChildren(list, before, after);
  const there = recogniseChildren(filed, list, before, after).filter(({ at }) => at !== null);
  const used = new Set(there.map(({ at }) => at));
  const moved = findMovedChildren(list, before, after).filter(({ at }) => !used.has(at));
  const ids = new Set([...there, ...moved].map(({ id }) => id));
  // A missing list, or that of a deleted task, may be incomplete: what is not in it may come back.
  const waits = sent === null || pushed.deletedAt !== null;
  const away = waits ? suspendChildren(filed, list, before) : [];
  return [...there, ...moved, ...away.filter(({ id }) => !ids.has(id))];
};

/** A tab or note that was filed over REST, wherever a device may have moved it since. */
export type AgentChild = Pick<FiledChild, "createdAt" | "id" | "key" | "list" | "person">;

/** Finds children that a device moved here from another task. */
export type ChildFinder = (
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
) => readonly FiledChild[];

/** The form of ids made by the server (UUIDv7). A key's child has no other kind. */
const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The ids in a task's payload that may belong to children moved here. `before` returns the task's previous
 * payload.
 */
export const movedIds = (before: () => Payload, after: Payload): readonly string[] =>
  CHILD_LISTS.flatMap((list) => {
    const ids = listField(after, list)
      .map(childId)
      .filter((id) => id !== null && OWN_ID.test(id)) as string[];
    if (ids.length === 0) return ids;
    const known = new Set(listField(before(), list).map(childId));
    return ids.filter((id) => !known.has(id));
  });

/**
 * The tabs and notes in a payload of which the server has said that a person filed them over REST. It does not remember
 * these anywhere else than in their task, and a device may send the task that they left before the one to which it moved
 * them.
 */
export const personsChildren = (payload: Payload): readonly AgentChild[] =>
  CHILD_LISTS.flatMap((list) =>
    listField(payload, list).flatMap((item) => {
      if (!isObject(item) || item["created_by"] !== "person") return [];
      const [id, createdAt] = [childId(item), instantText(item)];
      if (id === null || createdAt === null || !OWN_ID.test(id)) return [];
      return [{ list, id, key: null, person: true as const, createdAt }];
    }),
  );

/** Finds moved children among those that were filed, by their ids. */
export const childFinder =
  (filed: ReadonlyMap<string, AgentChild>): ChildFinder =>
  (list, before, after) => {
    if (filed.size === 0) return [];
    const known = new Set(before.map(childId));
    return after.flatMap((item, at) => {
      const id = childId(item);
      if (id === null || known.has(id)) return [];
      // A second item with the same id is a person's copy.
      known.add(id);
      const child = filed.get(id);
      if (child?.list !== list) return [];
      const { key, person, createdAt } = child;
      return [{ list, id, key, ...(person ? { person } : {}), createdAt, at }];
    });
  };

/**
 * Returns, for each item of `after`, its index in `before`, or null if it is new. Items are matched by id,
 * otherwise by URL or text, one for one.
 */
export const counterparts = (
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly (number | null)[] => {
  const byId = stacks(before, childId);
  const found = after.map((item) => take(byId, childId(item)));
  const taken = new Set(found);
  const byValue = stacks(before, (item, at) => (taken.has(at) ? null : childValue(list, item)));
  return after.map((item, at) => found[at] ?? take(byValue, childValue(list, item)));
};

/** Takes the first place under a key that is left; null without one, or without a key. */
const take = (places: ReadonlyMap<string, number[]>, key: string | null): number | null =>
  (key === null ? null : places.get(key)?.pop()) ?? null;

/** The indexes of the items under each key, the first on top. */
const stacks = (
  items: readonly unknown[],
  keyOf: (item: unknown, at: number) => string | null,
): ReadonlyMap<string, number[]> => {
  const places = new Map<string, number[]>();
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const key = keyOf(items[at], at);
    if (key === null) continue;
    const stack = places.get(key);
    if (stack) stack.push(at);
    else places.set(key, [at]);
  }
  return places;
};
