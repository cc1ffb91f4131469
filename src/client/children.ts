import { isObject, type Payload } from "../domain/base/payload.ts";
import { type ChildList, childId } from "../domain/tasks/child.ts";
import { NotPossible } from "./state.ts";

// Tabs and notes inside a task's payload.

/** Names a tab or note of a task: by its id, or, where it has none, by its place (`at` of its view). */
export type ChildName = string | number;

export const childrenIn = (payload: Payload, list: ChildList): readonly unknown[] => {
  const items = payload[list];
  return Array.isArray(items) ? items : [];
};

/** Returns the index of each named child. Refuses if one is not there. */
export const placesOf = (
  items: readonly unknown[],
  list: ChildList,
  names: readonly ChildName[],
): readonly number[] =>
  names.map((name) => {
    const at = typeof name === "number" ? name : items.findIndex((item) => childId(item) === name);
    if (at < 0 || at >= items.length) throw new NotPossible(GONE[list]);
    return at;
  });

const GONE: Readonly<Record<ChildList, string>> = {
  pages: "This tab is no longer in the task.",
  notes: "This note is no longer in the task.",
};

/** Returns the items with others at an index; without an index, at the end. */
export const inserted = (
  items: readonly unknown[],
  added: readonly unknown[],
  at = items.length,
): readonly unknown[] => items.toSpliced(Math.max(0, Math.min(at, items.length)), 0, ...added);

export const removed = (items: readonly unknown[], places: readonly number[]): readonly unknown[] =>
  items.filter((_item, at) => !places.includes(at));

/** Returns a child with some fields changed. One that was stored as plain text becomes an object first. */
export const changedChild = (item: unknown, list: ChildList, fields: Payload): Payload => {
  const whole = typeof item === "string" ? { [list === "pages" ? "url" : "text"]: item } : item;
  return withFields(isObject(whole) ? whole : {}, fields);
};

/** Returns a payload with some fields set. Undefined leaves a field as it is; null removes it. */
export const withFields = (payload: Payload, fields: Payload): Payload => {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  const cleared = set.flatMap(([field, value]) => (value === null ? [field] : []));
  const kept = Object.entries({ ...payload, ...Object.fromEntries(set) });
  return Object.fromEntries(kept.filter(([field]) => !cleared.includes(field)));
};
