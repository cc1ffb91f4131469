import { type Payload, sameJson } from "../base/payload.ts";

/** The operations that turn one payload into another. */
export type Difference = {
  /** Fields to set. */
  readonly set?: Payload;
  /** Fields to remove. */
  readonly unset?: readonly string[];
  /** Lists to change in part: `remove` items from index `at` on, then insert `items`. */
  readonly splice?: Readonly<Record<string, Splice>>;
};

type Splice = { readonly at: number; readonly remove: number; readonly items: readonly unknown[] };

/**
 * Returns the difference from one payload to another, or null if they are equal. Of a list only the part that
 * differs is included, so changing one item among thousands costs one item.
 */
export const difference = (from: Payload, to: Payload): Difference | null => {
  const changed = Object.entries(to).filter(
    ([field, value]) => !Object.hasOwn(from, field) || !sameJson(from[field], value),
  );
  const unset = Object.keys(from).filter((field) => !Object.hasOwn(to, field));
  if (changed.length + unset.length === 0) return null;
  const lists = changed.flatMap(([field, value]) => {
    const before = from[field];
    return Array.isArray(before) && Array.isArray(value) ? [[field, between(before, value)]] : [];
  });
  const splice = Object.fromEntries(lists) as Difference["splice"] & object;
  const set = Object.fromEntries(changed.filter(([field]) => !Object.hasOwn(splice, field)));
  return {
    ...(Object.keys(set).length > 0 ? { set } : {}),
    ...(unset.length > 0 ? { unset } : {}),
    ...(lists.length > 0 ? { splice } : {}),
  };
};

/** Returns the part between the lists' common start and common end. */
const between = (from: readonly unknown[], to: readonly unknown[]): Splice => {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && sameJson(from[head], to[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && sameJson(from.at(-1 - tail), to.at(-1 - tail))) tail += 1;
  return { at: head, remove: from.length - head - tail, items: to.slice(head, to.length - tail) };
};

/** Returns the other payload. Its content is the same; the order of its fields may differ. */
export const applyDifference = (
  payload: Payload,
  { set = {}, unset = [], splice = {} }: Difference,
): Payload => {
  const lists = Object.entries(splice).map(([field, { at, remove, items }]) => {
    const before = payload[field];
    return [field, Array.isArray(before) ? before.toSpliced(at, remove, ...items) : items];
  });
  const changed = { ...payload, ...set, ...(Object.fromEntries(lists) as Payload) };
  const removed = new Set(unset);
  return Object.fromEntries(Object.entries(changed).filter(([field]) => !removed.has(field)));
};
