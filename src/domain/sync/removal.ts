import { type ChildList, childId, childValue, type FiledChild } from "../tasks/child.ts";
import { wyhash64 } from "../base/hash.ts";
import type { Instant } from "../base/instant.ts";

/** A tab or note that an undo or restore removes. */
export type Removed = {
  readonly list: ChildList;
  /** The id the server gave it and the one the extension gave it, if any. */
  readonly ids: readonly string[];
  /** A hash of its URL or text, to recognise it if its id does not come back. */
  readonly value: string | null;
};

/** The same, with the stamp of the transaction that removed it. */
export type Removal = Removed & { readonly stamp: Instant };

/** Returns what identifies a removed item later. `filedId` is the id the server gave it, if it did. */
export const removedOf = (list: ChildList, item: unknown, filedId: string | null): Removed => {
  const ids = new Set([filedId, childId(item)].filter((id) => id !== null));
  return { list, ids: [...ids], value: hashOf(list, item) };
};

const hashOf = (list: ChildList, item: unknown): string | null => {
  const value = childValue(list, item);
  return value === null ? null : wyhash64(value).toString(36);
};

/** A stored list, and which of its items were filed over REST. */
type StoredList = {
  readonly list: ChildList;
  readonly before: readonly unknown[];
  readonly filed: readonly FiledChild[];
};

/**
 * Returns the pushed list without the items that were removed meanwhile. A removed item is recognised by id;
 * if the id did not come back, by URL or text, as far as the push has more such items than the stored list.
 */
export const withoutRemovals = (
  pushed: readonly unknown[],
  drops: readonly Removal[],
  stored: StoredList,
): readonly unknown[] => {
  const ids = idsOf(stored);
  const known = new Set(ids.flat());
  const removed = drops.filter(
    (drop) => drop.list === stored.list && !drop.ids.some((id) => known.has(id)),
  );
  if (removed.length === 0) return pushed;
  const removedIds = new Set(removed.flatMap((drop) => drop.ids));
  const sent = new Set(pushed.map(childId));
  const unsent = removed.filter((drop) => !drop.ids.some((id) => sent.has(id)));
  const left = pushed.filter((item) => !removedIds.has(childId(item) ?? ""));
  if (unsent.length === 0) return left;
  const missing = stored.before.filter((_, at) => !ids[at]?.some((id) => sent.has(id)));
  return withoutSpare(left, unsent, { ...stored, before: missing }, known);
};

/** The ids by which each item of the list is known. */
const idsOf = ({ list, before, filed }: StoredList): readonly (readonly string[])[] => {
  const mine = filed.filter((child) => child.list === list);
  const given = new Map(mine.map(({ at, id }) => [at, id]));
  return before.map((item, at) => [childId(item), given.get(at)].filter((id) => id != null));
};

/**
 * Drops the items that no stored item claims, last ones first: a stored item may have the same URL or text.
 */
const withoutSpare = (
  pushed: readonly unknown[],
  removed: readonly Removed[],
  { list, before }: StoredList,
  known: ReadonlySet<string>,
): readonly unknown[] => {
  const values = pushed.map((item) => (known.has(childId(item) ?? "") ? null : hashOf(list, item)));
  const free = tally(values);
  const claims = tally(before.map((item) => hashOf(list, item)));
  const spare = tally(removed.map(({ value }) => value));
  for (const [value, times] of spare)
    spare.set(value, Math.min(times, (free.get(value) ?? 0) - (claims.get(value) ?? 0)));
  const takes = (value: string | null): boolean => {
    const times = value === null ? 0 : (spare.get(value) ?? 0);
    if (value !== null) spare.set(value, times - 1);
    return times > 0;
  };
  const left = pushed.toReversed().filter((_, back) => !takes(values.at(-1 - back) ?? null));
  return left.toReversed();
};

const tally = (values: readonly (string | null)[]): Map<string, number> => {
  const times = new Map<string, number>();
  for (const value of values) if (value !== null) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
};
