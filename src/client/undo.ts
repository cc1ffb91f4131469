import { canonical, isObject, type Payload, sameJson } from "../domain/base/payload.ts";
import { childId } from "../domain/tasks/child.ts";
import type { Edit } from "./edit.ts";
import type { Touched } from "./store/save-step.ts";

/** Returns the edit that takes a step back. What others changed since in the same records stays. */
export const undoOf =
  (touched: readonly Touched[]): Edit =>
  async (desk) => {
    for (const { table, id, before, after } of touched) {
      const found = await desk.find(table, id);
      if (found === null) continue;
      const wasLive = before !== null && before.deletedAt === null;
      const payload = takenBack(before?.payload ?? {}, after.payload, found.payload);
      if (wasLive) await desk.write(table, id, payload);
      else await desk.remove(table, id);
    }
  };

/**
 * Returns `now` with the change from `before` to `after` taken back: field by field, and in lists item by item. A
 * field or item that somebody changed since stays as it is now.
 */
export const takenBack = (before: Payload, after: Payload, now: Payload): Payload => {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const result: Record<string, unknown> = { ...now };
  for (const field of fields) {
    const [was, became, is] = [before[field], after[field], now[field]];
    if (sameJson(was, became)) continue;
    if (sameJson(is, became)) {
      if (was === undefined) delete result[field];
      else result[field] = was;
    } else if (isList(was) && isList(became) && isList(is))
      result[field] = listTakenBack(was, became, is);
  }
  return result;
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** What an item is known by: its id; without one, all that it holds. */
const nameOf = (item: unknown): string =>
  (isObject(item) ? childId(item) : null) ?? canonical(item);

const listTakenBack = (
  was: readonly unknown[],
  became: readonly unknown[],
  is: readonly unknown[],
): readonly unknown[] => {
  const [before, after, now] = [byName(was), byName(became), byName(is)];
  const kept = is
    .filter((item) => !after.has(nameOf(item)) || before.has(nameOf(item)))
    .map((item) => {
      const name = nameOf(item);
      return before.has(name) && sameJson(item, after.get(name)) ? before.get(name) : item;
    });
  const isGone = (item: unknown): boolean => !after.has(nameOf(item)) && !now.has(nameOf(item));
  const whole = was.reduce<readonly unknown[]>(
    (items, item, at) => (isGone(item) ? insertedAfter(items, was.slice(0, at), item) : items),
    kept,
  );
  return isReordered(was, became) ? inOrderOf(was, whole) : whole;
};

const byName = (items: readonly unknown[]): ReadonlyMap<string, unknown> =>
  new Map(items.map((item) => [nameOf(item), item]));

/** Puts an item behind the nearest of its predecessors that is still there. */
const insertedAfter = (
  items: readonly unknown[],
  predecessors: readonly unknown[],
  item: unknown,
): readonly unknown[] => {
  const names = items.map(nameOf);
  const at = predecessors.findLast((one) => names.includes(nameOf(one)));
  return items.toSpliced(at === undefined ? 0 : names.indexOf(nameOf(at)) + 1, 0, item);
};

const isReordered = (was: readonly unknown[], became: readonly unknown[]): boolean => {
  const [before, after] = [was.map(nameOf), became.map(nameOf)];
  const common = before.filter((name) => after.includes(name));
  return !sameJson(
    common,
    after.filter((name) => before.includes(name)),
  );
};

/** Puts the items that were there before in the order they had; all others keep their places. */
const inOrderOf = (was: readonly unknown[], items: readonly unknown[]): readonly unknown[] => {
  const names = was.map(nameOf);
  const old = items
    .filter((item) => names.includes(nameOf(item)))
    .toSorted((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)));
  let next = 0;
  return items.map((item) => (names.includes(nameOf(item)) ? old[next++] : item));
};
