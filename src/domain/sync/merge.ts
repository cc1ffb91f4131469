import type { Change } from "./change.ts";
import {
  CHILD_LISTS,
  type ChildList,
  childId,
  type FiledChild,
  recogniseChildren,
  suspendChildren,
} from "../tasks/child.ts";
import { type Removal, withoutRemovals } from "./removal.ts";
import { type FieldGuard, type Guards, NO_GUARDS, RESTORED_FIELDS, withoutIds } from "./guards.ts";
import { fieldValue, listField, type Payload, sameJson } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import type { Knowledge } from "./knowledge.ts";

/** A stored record, with what was changed in it over REST. */
export type StoredState = RecordState & {
  readonly filed: readonly FiledChild[];
  readonly guards: Guards;
};

/** The record after a push; `differs` if it is not what was pushed. */
export type Merged = StoredState & { readonly differs: boolean };

/** Finds children that a device moved here from another task. */
export type ChildFinder = (
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
) => readonly FiledChild[];

/**
 * Merges a push into the stored record. Tabs and notes filed over REST that the device cannot have known are
 * put back; those removed over REST are removed again; and a field that the device left at its old value
 * keeps a change that the device cannot have known. If there is nothing of that kind, returns the push
 * itself, unchanged.
 */
export const mergePush = (
  stored: StoredState,
  change: Change,
  knowledge: Knowledge,
  findMovedChildren: ChildFinder,
): Merged => {
  // The case of nearly all records: there is nothing to put back.
  if (isUntouched(stored) && change.deletedAt === null)
    return asPushed(stored, change, findMovedChildren);
  const keepsDeletion = mustKeep(stored, "deleted_at", change.deletedAt !== null, knowledge);
  if (keepsDeletion && stored.deletedAt === null) return { ...stored, differs: true };
  if (keepsDeletion || change.deletedAt !== null) {
    const deletedAt = keepsDeletion ? stored.deletedAt : change.deletedAt;
    return {
      ...mergeDeletion(stored, change, findMovedChildren),
      deletedAt,
      differs: keepsDeletion,
    };
  }
  const lists = CHILD_LISTS.map((list) =>
    mergeList(stored, change, list, knowledge, findMovedChildren),
  );
  const fields = RESTORED_FIELDS.filter((field) =>
    mustKeep(stored, field, fieldValue(change.payload, field), knowledge),
  ).map((field) => [field, stored.payload[field] ?? null] as const);
  const changed = [
    ...fields,
    ...lists.flatMap(({ list, items }) => (items ? [[list, items]] : [])),
  ];
  const payload =
    changed.length === 0
      ? change.payload
      : { ...change.payload, ...(Object.fromEntries(changed) as Payload) };
  return {
    payload,
    deletedAt: null,
    filed: lists.flatMap(({ filed }) => filed),
    guards: { fields: stillGuarded(stored, payload), drops: stillRemoved(stored, payload) },
    differs: changed.length > 0,
  };
};

/** Whether nothing in it was ever filed or changed over REST. */
const isUntouched = ({ filed, guards }: StoredState): boolean =>
  filed.length + guards.fields.length + guards.drops.length === 0;

const asPushed = (
  stored: StoredState,
  { payload }: Change,
  findMovedChildren: ChildFinder,
): Merged => ({
  payload,
  deletedAt: null,
  filed: CHILD_LISTS.flatMap((list) =>
    findMovedChildren(list, listField(stored.payload, list), listField(payload, list)),
  ),
  guards: NO_GUARDS,
  differs: false,
});

/**
 * Whether a field must keep its stored value: the pushed value is the one before a change that the device
 * cannot have known.
 */
const mustKeep = (
  { payload, deletedAt, guards }: StoredState,
  field: FieldGuard["field"],
  pushed: unknown,
  knowledge: Knowledge,
): boolean => {
  const current = field === "deleted_at" ? deletedAt !== null : fieldValue(payload, field);
  if (sameJson(current, pushed)) return false;
  const first = guards.fields.find((guard) => guard.field === field && !knowledge.field(guard));
  return first !== undefined && sameJson(first.before, pushed);
};

/** Guards of fields that still have their value from REST. Once a device sets a field, it is the person's. */
const stillGuarded = (stored: StoredState, payload: Payload): readonly FieldGuard[] =>
  stored.guards.fields.filter(({ field }) =>
    field === "deleted_at"
      ? stored.deletedAt === null
      : sameJson(fieldValue(payload, field), fieldValue(stored.payload, field)),
  );

/** Removals that remain in effect. What a device puts back knowingly is the person's from then on. */
const stillRemoved = ({ guards }: StoredState, payload: Payload): readonly Removal[] =>
  guards.drops.length === 0
    ? guards.drops
    : withoutIds(
        guards.drops,
        new Set(CHILD_LISTS.flatMap((list) => listField(payload, list).map(childId))),
      );

/** A deleted task. Its list may be incomplete: what is missing from it may come back with the task. */
const mergeDeletion = (
  { payload, deletedAt, filed, guards }: StoredState,
  change: Change,
  findMovedChildren: ChildFinder,
): Omit<Merged, "deletedAt" | "differs"> => ({
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
  guards: {
    fields: guards.fields.filter(({ field }) => field === "deleted_at" && deletedAt !== null),
    drops: guards.drops,
  },
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
  return {
    there,
    moved,
    missing: inStoredOrder(
      all.filter(({ at }) => at === null),
      filed,
    ),
  };
};

/** In their stored order, with those that waited for their list at the end. */
const inStoredOrder = (
  children: readonly FiledChild[],
  filed: readonly FiledChild[],
): readonly FiledChild[] => {
  const places = new Map(filed.map(({ id, at }) => [id, at ?? Number.MAX_SAFE_INTEGER]));
  return children.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
};

type MergedList = {
  readonly list: ChildList;
  /** The list's items, if they differ from those that were pushed. */
  readonly items: readonly unknown[] | null;
  readonly filed: readonly FiledChild[];
};

/** Never reorders what was pushed: what is put back goes after it. */
const mergeList = (
  { payload, filed, guards }: StoredState,
  change: Change,
  list: ChildList,
  knowledge: Knowledge,
  findMovedChildren: ChildFinder,
): MergedList => {
  const before = listField(payload, list);
  const pushed = change.payload[list] ?? null;
  const away = suspendChildren(filed, list, before);
  // The extension stores the list in another form, so nothing can be added to it.
  if (pushed !== null && !Array.isArray(pushed)) return { list, items: null, filed: away };
  const unseenRemovals = guards.drops
    .filter((drop) => !knowledge.drop(drop))
    .map((drop) => (knowledge.mayBeNew(drop) ? { ...drop, value: null } : drop));
  const after = withoutRemovals(pushed ?? [], unseenRemovals, { list, before, filed });
  const { there, moved, missing } = found(filed, list, before, after, findMovedChildren);
  const items = new Map(away.map(({ id, item }) => [id, item]));
  const unseen = missing.filter(
    (child) => !knowledge.child(child) && items.get(child.id) !== undefined,
  );
  const back = unseen.map(({ item: _away, ...child }, index) => {
    return { ...child, at: after.length + index };
  });
  const putBack = new Set(back.map(({ id }) => id));
  const waiting = pushed === null ? away.filter(({ id }) => !putBack.has(id)) : [];
  const same = back.length === 0 && after.length === (pushed ?? []).length;
  return {
    list,
    items: same ? null : [...after, ...back.map(({ id }) => items.get(id))],
    filed: [...there, ...moved, ...back, ...waiting],
  };
};
