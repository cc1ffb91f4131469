import { type Payload, sameJson } from "../base/payload.ts";

/** What must be done to one payload to have another. */
export type Difference = {
  /** Fields as the other one has them. */
  readonly set?: Payload;
  /** Fields that it has not. */
  readonly unset?: readonly string[];
  /** Lists of which a part is replaced: `remove` items from `at` on, by `items`. */
  readonly splice?: Readonly<Record<string, Splice>>;
};

type Splice = { readonly at: number; readonly remove: number; readonly items: readonly unknown[] };

/**
 * The difference from one payload to another; null where they hold the same. Of lists only the part is
 * kept that differs, so that one item among thousands costs one item.
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

/** What lies between the items that both lists begin with and those that both end with. */
const between = (from: readonly unknown[], to: readonly unknown[]): Splice => {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && sameJson(from[head], to[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && sameJson(from.at(-1 - tail), to.at(-1 - tail))) tail += 1;
  return { at: head, remove: from.length - head - tail, items: to.slice(head, to.length - tail) };
};

/** The other payload, by content: the order of its fields may be another. */
export const applyDifference = (
  payload: Payload,
  { set = {}, unset = [], splice = {} }: Difference,
): Payload => {
  const lists = Object.entries(splice).map(([field, { at, remove, items }]) => {
    const before = payload[field];
    return [field, Array.isArray(before) ? before.toSpliced(at, remove, ...items) : items];
  });
  const changed = { ...payload, ...set, ...(Object.fromEntries(lists) as Payload) };
  const gone = new Set(unset);
  return Object.fromEntries(Object.entries(changed).filter(([field]) => !gone.has(field)));
};
