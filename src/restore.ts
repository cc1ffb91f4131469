import { type ChildList, childId, type FiledChild, recogniseChildren } from "./child.ts";
import { suspendChildren } from "./child.ts";
import type { Content } from "./content.ts";
import type { Drop } from "./guards.ts";
import { formatInstant, type Instant } from "./instant.ts";
import type { ChildFinder } from "./merge.ts";
import { listField, type Payload } from "./payload.ts";
import { shownInstant } from "./tab.ts";

/** A record's content as a person wants it again, and what is taken away by that. */
export type Restored = Content & { readonly dropped: readonly Omit<Drop, "stamp">[] };

/** Finds whose the tabs and notes are, and makes an id for one that has none. */
export type Restoring = {
  readonly findMoved: ChildFinder;
  readonly newId: (now: Instant) => string;
  readonly now: Instant;
};

/**
 * A payload put in the place of the one that stands. Its tabs and notes keep their makers, and those that
 * come back count as filed now: a device that has not seen that cannot take them away again, nor bring
 * back those that go.
 */
export const restoreContent = (
  standing: Content,
  payload: Payload,
  restoring: Restoring,
): Restored => {
  const lists = LISTS.map((list) => restoreList(standing, payload, list, restoring));
  return {
    payload,
    filed: lists.flatMap(({ filed }) => filed),
    dropped: lists.flatMap(({ dropped }) => dropped),
  };
};

const LISTS: readonly ChildList[] = ["pages", "notes"];

const restoreList = (
  { payload, filed }: Content,
  wanted: Payload,
  list: ChildList,
  { findMoved, newId, now }: Restoring,
): Omit<Restored, "payload"> => {
  const before = listField(payload, list);
  const after = wanted[list];
  if (!Array.isArray(after))
    return { filed: suspendChildren(filed, list, before), dropped: dropsOf(list, before, []) };
  const known = recogniseChildren(filed, list, before, after).filter(({ at }) => at !== null);
  const found = findMoved(list, before, after);
  const taken = new Set([...known, ...found].map(({ at }) => at));
  const ids = new Set(known.map(({ id }) => id));
  const gone = filed.filter(
    (child) => child.list === list && child.at !== null && !ids.has(child.id),
  );
  const there = new Set(before.map((item) => identityOf(item)));
  const back = after.flatMap((item: unknown, at): readonly FiledChild[] => {
    if (taken.has(at) || there.has(identityOf(item))) return [];
    const createdAt = shownInstant(item) ?? formatInstant(now);
    return [{ list, id: childId(item) ?? newId(now), key: null, person: true, createdAt, at }];
  });
  return {
    filed: [...known, ...found.filter(({ at }) => !isTaken(known, at)), ...back],
    dropped: [...dropsOf(list, before, after), ...gone.map(({ id }) => ({ list, id }))],
  };
};

const isTaken = (children: readonly FiledChild[], at: number | null): boolean =>
  children.some((child) => child.at === at);

const identityOf = (item: unknown): string => childId(item) ?? JSON.stringify(item);

const dropsOf = (list: ChildList, before: readonly unknown[], after: readonly unknown[]) => {
  const kept = new Set(after.map(childId));
  return before.flatMap((item) => {
    const id = childId(item);
    return id === null || kept.has(id) ? [] : [{ list, id }];
  });
};
