import type { Change } from "./change.ts";
import {
  CHILD_LISTS,
  type ChildList,
  type FiledChild,
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
  /** Ids of filed children that a device moved to where they cannot stay. */
  readonly homeless: ReadonlySet<string>;
};

/**
 * Merges a push into the stored record: what was done over REST since the version that the device held stays, where the
 * device left that version as it was. What the device itself changed is its person's will. If nothing was done over
 * REST, returns the push itself, unchanged.
 */
export const mergePush = (stored: StoredState, change: Change, merging: Merging): Merged => {
  const { past } = merging;
  const isDeleted = change.deletedAt !== null;
  const keepsDeletion =
    past !== null &&
    past.deletion &&
    past.held.isDeleted === isDeleted &&
    isDeleted === (stored.deletedAt === null);
  if (keepsDeletion && isDeleted) return { ...stored, differs: true };
  if (keepsDeletion || isDeleted) {
    const { payload, filed } = mergeDeletion(stored, change, merging.findMovedChildren);
    const deletedAt = keepsDeletion ? stored.deletedAt : change.deletedAt;
    return { payload, filed, deletedAt, differs: keepsDeletion };
  }
  const lists = CHILD_LISTS.map((list) => mergeList(stored, change, list, merging));
  const fields = past === null ? [] : keptFields(past, change.payload);
  const changed = lists.flatMap(({ list, items }) => (items ? [[list, items] as const] : []));
  const payload = withFields(change.payload, [...fields, ...changed]);
  const filed = lists.flatMap((list) => list.filed);
  return { payload, deletedAt: null, filed, differs: payload !== change.payload };
};

type Field = readonly [name: string, value: unknown];

/** Returns the fields in which the push is as the device held them, and REST has changed them since. */
const keptFields = ({ fields, held, content }: Past, pushed: Payload): readonly Field[] =>
  [...fields].flatMap((name): readonly Field[] => {
    const value = fieldValue(pushed, name);
    const isLeft = sameJson(value, fieldValue(held.payload, name));
    const isList = (CHILD_LISTS as readonly string[]).includes(name);
    return isList || !isLeft || sameJson(value, fieldValue(content, name))
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

/** A deleted task. Its list may be incomplete: what is missing from it may come back with the task. */
const mergeDeletion = (
  { payload, filed }: StoredState,
  change: Change,
  findMovedChildren: ChildFinder,
): Pick<Merged, "filed" | "payload"> => ({
  payload: change.payload,
  filed: CHILD_LISTS.flatMap((list) => {
    const before = listField(payload, list);
    const after = change.payload[list];
    if (!Array.isArray(after)) return suspendChildren(filed, list, before);
    const { there, moved } = found(filed, list, before, after, findMovedChildren);
    const ids = new Set(there.map(({ id }) => id));
    const away = filed.filter(({ id }) => !ids.has(id));
    return [...there, ...moved, ...suspendChildren(away, list, before)];
  }),
});

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
  const back = unseenAmong(missing, before, list, merging)
    .flatMap(({ id }) => away.find((child) => child.id === id && child.item != null) ?? [])
    .map(({ item, ...child }, index) => ({ item, child: { ...child, at: after.length + index } }));
  const putBack = new Set(back.map(({ child }) => child.id));
  const waiting = pushed === null ? away.filter(({ id }) => !putBack.has(id)) : [];
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
  lists.has(list) &&
  Array.isArray(payload[list]) &&
  sameJson(pushed ?? [], listField(held.payload, list)) &&
  !sameJson(pushed ?? [], payload[list]);

/** Only what the device held can have been removed without its knowledge. */
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
  const asItems = mine.map(({ id, value }) => ({ id, url: value, text: value }));
  const unseen = mine.filter((_, at) => counterparts(list, had, [asItems[at]])[0] !== null);
  return withoutRemovals(pushed, unseen, stored);
};

/** Those of the missing children that the device cannot have seen, or that cannot stay where it moved them. */
const unseenAmong = (
  missing: readonly FiledChild[],
  before: readonly unknown[],
  list: ChildList,
  { past, homeless }: Merging,
): readonly FiledChild[] => {
  if (past === null) return missing.filter(({ id }) => homeless.has(id));
  const seen = past.held.seen && listField(past.held.seen, list);
  const had = seen === null ? [] : recogniseChildren(missing, list, before, seen);
  const known = new Set(had.flatMap(({ id, at }) => (at === null ? [] : [id])));
  return missing.filter(({ id }) => !known.has(id) || homeless.has(id));
};
