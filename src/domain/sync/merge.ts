import type { Change } from "./change.ts";
import {
  CHILD_LISTS,
  childId,
  type ChildList,
  type FiledChild,
  isChildList,
  recogniseChildren,
  suspendChildren,
} from "../tasks/child.ts";
import { fieldValue, listField, type Payload, sameJson } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import { counterparts } from "../tasks/counterpart.ts";
import type { Past } from "./past.ts";
import { withoutRemovals } from "./removal.ts";

/** A stored record, with what was filed in it over REST. */
export type StoredState = RecordState & { readonly filed: readonly FiledChild[] };

/** The record after a push; `differs` if it is not what was pushed. */
export type Merged = StoredState & { readonly differs: boolean };

/** Finds children that a device moved here from another task. */
export type ChildFinder = (
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
) => readonly FiledChild[];

/** What a push is merged with. */
export type Merging = {
  /** What the device held, and what was done over REST since; null if it has seen all of that. */
  readonly past: Past | null;
  readonly findMovedChildren: ChildFinder;
};

/**
 * Merges a push into the stored record: what was done over REST since the version that the device held stays, where the
 * device left that version as it was. What the device itself changed is its person's will. If nothing was done over
 * REST, returns the push itself, unchanged.
 */
export const mergePush = (stored: StoredState, change: Change, merging: Merging): Merged => {
  const { past } = merging;
  const keepsDeletion = past !== null && keepsItsDeletion(stored, change, past);
  const deletedAt = keepsDeletion ? stored.deletedAt : change.deletedAt;
  // A device deletes once more what was restored over REST: it says nothing about the content.
  if (keepsDeletion && deletedAt === null) return { ...stored, differs: true };
  const lists = CHILD_LISTS.map((list) => mergeList(stored, change, list, merging));
  const fields = past === null ? [] : keptFields(past, change.payload);
  const changed = lists.flatMap(({ list, items }) => (items ? [[list, items] as const] : []));
  const payload = withFields(change.payload, [...fields, ...changed]);
  const filed = lists.flatMap((list) => list.filed);
  return { payload, deletedAt, filed, differs: keepsDeletion || payload !== change.payload };
};

/** Whether it was deleted or restored over REST, and the device cannot have known that. */
const keepsItsDeletion = (stored: StoredState, change: Change, { held, deletion }: Past): boolean =>
  deletion &&
  held.isDeleted === (change.deletedAt !== null) &&
  held.isDeleted === (stored.deletedAt === null);

type Field = readonly [name: string, value: unknown];

/** Returns the fields in which the push is as the device held them, and REST has changed them since. */
const keptFields = ({ fields, held, content }: Past, pushed: Payload): readonly Field[] =>
  [...fields].flatMap((name): readonly Field[] => {
    const value = fieldValue(pushed, name);
    const isLeft = sameJson(value, fieldValue(held.payload, name));
    return isChildList(name) || !isLeft || sameJson(value, fieldValue(content, name))
      ? []
      : [[name, content[name]]];
  });

/** Sets fields; one that has no value is removed. */
const withFields = (payload: Payload, fields: readonly Field[]): Payload => {
  if (fields.length === 0) return payload;
  const names = new Map(fields);
  const all = Object.entries({ ...payload, ...Object.fromEntries(fields) } as Payload);
  return Object.fromEntries(all.filter(([name, value]) => value !== undefined || !names.has(name)));
};

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

type MergedList = {
  readonly list: ChildList;
  /** The list's items, if they differ from those that were pushed. */
  readonly items: readonly unknown[] | null;
  readonly filed: readonly FiledChild[];
};

const mergeList = (
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
