import { type ChildList, childId, childValue } from "./child.ts";

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
