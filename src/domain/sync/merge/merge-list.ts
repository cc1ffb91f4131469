import { listField, sameJson } from "../../base/payload.ts";
import {
  childId,
  type ChildList,
  type FiledChild,
  recogniseChildren,
  suspendChildren,
} from "../../tasks/child.ts";
import { counterparts } from "../../tasks/counterpart.ts";
import type { Change } from "../change.ts";
import type { ChildFinder, Merging, StoredState } from "./merging.ts";
import type { Past } from "../seen/past.ts";
import { withoutRemovals } from "../seen/removal.ts";

const found = (
  filed: readonly FiledChild[],
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
  findMovedChildren: ChildFinder,
) => {
  const all = recogniseChildren(filed, list, before, after);
  const there = all.filter(({ at }) => at !== null);
  const used = new Set(there.map(({ at }) => at));
  const moved = findMovedChildren(list, before, after).filter(({ at }) => !used.has(at));
  const ids = new Set([...there, ...moved].map(({ id }) => id));
  const mine = filed.filter((child) => child.list === list && !ids.has(child.id));
  return { there, moved, missing: inStoredOrder(mine) };
};

/** In their stored order, with those that waited for their list at the end. */
const inStoredOrder = (children: readonly FiledChild[]): readonly FiledChild[] =>
  children.toSorted(
    (a, b) => (a.at ?? Number.MAX_SAFE_INTEGER) - (b.at ?? Number.MAX_SAFE_INTEGER),
  );

export type MergedList = {
  readonly list: ChildList;
  /** The list's items, if they differ from those that were pushed. */
  readonly items: readonly unknown[] | null;
  readonly filed: readonly FiledChild[];
};

/** Merges one list of a push with what was filed in and removed from it over REST. */
export const mergeList = (
  stored: StoredState,
  change: Change,
  list: ChildList,
  merging: Merging,
): MergedList => {
  const { payload, filed } = stored;
  const { past, findMovedChildren } = merging;
  const before = listField(payload, list);
  const pushed = change.payload[list] ?? null;
  // The extension stores the list in another form, so nothing can be added to it.
  if (pushed !== null && !Array.isArray(pushed))
    return { list, items: null, filed: suspendChildren(filed, list, before) };
  // The commonest case: nothing is filed in this record over REST. For a push of 500, it takes 0.14 ms instead of 0.77.
  if (past === null && filed.length === 0)
    return { list, items: null, filed: findMovedChildren(list, before, pushed ?? []) };
  if (past && leftAlone(stored, past, list, pushed))
    return { list, items: before, filed: filed.filter((child) => child.list === list) };
  const after = past ? withoutUnseenRemovals(stored, past, list, pushed ?? []) : (pushed ?? []);
  const { there, moved, missing } = found(filed, list, before, after, findMovedChildren);
  const away = suspendChildren(missing, list, before);
  // A device that deletes a task need not send its lists.
  const isLeftOut = pushed === null && change.deletedAt !== null;
  const back = (isLeftOut ? [] : unseenAmong(missing, before, list, merging))
    .flatMap(({ id }) => away.find((child) => child.id === id && child.item != null) ?? [])
    .map(({ item, ...child }, index) => ({ item, child: { ...child, at: after.length + index } }));
  const putBack = new Set(back.map(({ child }) => child.id));
  // A missing list, or that of a deleted task, may be incomplete: what is not in it may come back.
  const waits = pushed === null || change.deletedAt !== null;
  const waiting = waits ? away.filter(({ id }) => !putBack.has(id)) : [];
  const isAsPushed = back.length === 0 && after.length === (pushed ?? []).length;
  return {
    list,
    // Never reorders what was pushed: what is put back goes after it.
    items: isAsPushed ? null : [...after, ...back.map(({ item }) => item)],
    filed: [...there, ...moved, ...back.map(({ child }) => child), ...waiting],
  };
};

/** Whether the device left the whole list as it held it, and only REST has changed it since. */
const leftAlone = (
  { payload, deletedAt }: StoredState,
  { held, lists }: Past,
  list: ChildList,
  pushed: readonly unknown[] | null,
): boolean =>
  deletedAt === null &&
  held.wasStored &&
  !held.isDeleted &&
  lists.has(list) &&
  Array.isArray(payload[list]) &&
  sameJson(pushed ?? [], listField(held.payload, list)) &&
  !sameJson(pushed ?? [], payload[list]);

/** What the device held can have been removed without its knowledge; anything else with that URL is its own. */
const withoutUnseenRemovals = (
  { payload, filed }: StoredState,
  { removed, held }: Past,
  list: ChildList,
  pushed: readonly unknown[],
): readonly unknown[] => {
  const mine = removed.filter((removal) => removal.list === list);
  if (mine.length === 0) return pushed;
  const stored = { list, before: listField(payload, list), filed };
  const had = listField(held.payload, list);
  const sent = new Set(pushed.map(childId));
  const unseen = mine.filter(({ id, value }) => {
    const item = { id, url: value, text: value };
    return (id !== null && sent.has(id)) || counterparts(list, had, [item])[0] !== null;
  });
  return withoutRemovals(pushed, unseen, stored);
};

/** Those of the missing children that the device cannot have seen. */
const unseenAmong = (
  missing: readonly FiledChild[],
  before: readonly unknown[],
  list: ChildList,
  { past }: Merging,
): readonly FiledChild[] => {
  if (past === null) return [];
  const seen = past.held.seen && listField(past.held.seen, list);
  const had = seen === null ? [] : recogniseChildren(missing, list, before, seen);
  const known = new Set(had.flatMap(({ id, at }) => (at === null ? [] : [id])));
  return missing.filter(({ id }) => !known.has(id));
};
