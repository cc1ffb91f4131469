import { byteLength } from "./text.ts";

/**
 * A record's content as the extension sent it. Docket reads and edits the few fields that it knows
 * and keeps all others. A known field that is missing or has another type is never an error.
 */
export type Payload = { readonly [field: string]: unknown };

/** The size limit of one payload, in UTF-8 bytes. */
export const MAX_PAYLOAD = 1024 * 1024;

/** How many levels deep a payload may nest. */
export const MAX_DEPTH = 64;

/**
 * Returns the JSON text that is stored. Lone surrogates are escaped, so that they come back
 * unchanged.
 */
export const serialise = (payload: Payload): string => JSON.stringify(payload);

export const deserialise = (text: string): Payload => JSON.parse(text) as Payload;

/** Whether a payload's JSON text is at most `MAX_PAYLOAD` bytes long in UTF-8. */
export const fits = (payloadText: string): boolean =>
  payloadText.length * 3 <= MAX_PAYLOAD || byteLength(payloadText) <= MAX_PAYLOAD;

/** Whether a value is a JSON object: not null and not an array. */
export const isObject = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the field's text, or null if it is absent, empty or not text. */
export const textField = (payload: Payload, field: string): string | null => {
  const value = payload[field];
  return typeof value === "string" && value !== "" ? value : null;
};

/** Returns the field's list, or an empty one if it is absent or not a list. */
export const listField = (payload: Payload, field: string): readonly unknown[] => {
  const value = payload[field];
  return Array.isArray(value) ? value : [];
};

/** Returns a field's value; null if it is absent. An empty list counts as absent. */
export const fieldValue = (payload: Payload, field: string): unknown => {
  const value = payload[field] ?? null;
  return Array.isArray(value) && value.length === 0 ? null : value;
};

/** The names of the fields that differ. An empty list is like an absent one. */
export const differingFields = (one: Payload, other: Payload): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !sameJson(fieldValue(one, name), fieldValue(other, name)),
  );

/**
 * The values of an array or object. On a large array, `Object.values` takes a hundred times as
 * long.
 */
export const childrenOf = (value: object): readonly unknown[] =>
  Array.isArray(value) ? value : Object.values(value);

/**
 * Whether `value` nests deeper than `limit` levels. The search stops there, so it cannot overflow
 * the stack.
 */
export const isDeeperThan = (value: unknown, limit: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  for (const child of childrenOf(value)) if (isDeeperThan(child, limit - 1)) return true;
  return false;
};

/** Whether `value` contains a number too large for JavaScript, which would be stored as null. */
export const hasInfinity = (value: unknown): boolean => {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  for (const child of childrenOf(value)) if (hasInfinity(child)) return true;
  return false;
};

/**
 * Whether two values are equal as JSON, in any order of fields. `Bun.deepEquals` (1.4.5) cannot be used: it
 * finds `{"__proto__": {}}` equal to `{}`.
 */
export const sameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && sameItems(one, other);
  if (!isObject(one) || !isObject(other)) return false;
  const fields = Object.keys(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every((field) => Object.hasOwn(other, field) && sameJson(one[field], other[field]))
  );
};

const sameItems = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => sameJson(item, other[at]));

/** JSON text with the keys sorted at every level, so that equal content gives equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, child: unknown) =>
    isObject(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
