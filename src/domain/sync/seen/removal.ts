import { type ChildList, childId, childValue, type FiledChild } from "../../tasks/child.ts";

/** A tab or note that was removed over REST. */
export type Removed = {
  readonly list: ChildList;
  readonly id: string | null;
  /** Its URL or text, to recognise it if its id does not come back. */
  readonly value: string | null;
};

export const removedOf = (list: ChildList, item: unknown): Removed => ({
  list,
  id: childId(item),
  value: childValue(list, item),
});

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
  removals: readonly Removed[],
  stored: StoredList,
): readonly unknown[] => {
  const ids = idsOf(stored);
  const known = new Set(ids.flat());
  const removed = removals.filter(
    ({ list, id }) => list === stored.list && !(id !== null && known.has(id)),
  );
  if (removed.length === 0) return pushed;
  const removedIds = new Set(removed.map(({ id }) => id));
  const sent = new Set(pushed.map(childId));
  const unsent = removed.filter(({ id }) => id === null || !sent.has(id));
  const left = pushed.filter((item) => {
    const id = childId(item);
    return id === null || !removedIds.has(id);
  });
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
  const values = pushed.map((item) =>
    known.has(childId(item) ?? "") ? null : childValue(list, item),
  );
  const free = tally(values);
  const claims = tally(before.map((item) => childValue(list, item)));
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
