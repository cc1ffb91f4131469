import { byteLength } from "./text.ts";

/**
 * A record's content as the extension sent it. Docket reads and edits the few fields it knows and
 * keeps all others; a known field that is missing or of another type is never an error.
 */
export type Payload = { readonly [field: string]: unknown };

/** UTF-8 bytes of one payload. */
export const MAX_PAYLOAD = 1024 * 1024;

export const MAX_DEPTH = 64;

/** The JSON text that is stored. It escapes lone surrogates, so that they come back unchanged. */
export const serialise = (payload: Payload): string => JSON.stringify(payload);

export const deserialise = (text: string): Payload => JSON.parse(text) as Payload;

export const fits = (payloadText: string): boolean =>
  payloadText.length * 3 <= MAX_PAYLOAD || byteLength(payloadText) <= MAX_PAYLOAD;

export const isObject = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The field's text, or null where it is absent, empty or something else. */
export const textField = (payload: Payload, field: string): string | null => {
  const value = payload[field];
  return typeof value === "string" && value !== "" ? value : null;
};

/** The field's list, or an empty one where it is absent or something else. */
export const listField = (payload: Payload, field: string): readonly unknown[] => {
  const value = payload[field];
  return Array.isArray(value) ? value : [];
};

/** What a field holds, null for nothing: an empty list says the same as no list. */
export const fieldValue = (payload: Payload, field: string): unknown => {
  const value = payload[field] ?? null;
  return Array.isArray(value) && value.length === 0 ? null : value;
};

/** The values in an array or object. `Object.values` on a large array takes a hundred times as long. */
export const childrenOf = (value: object): readonly unknown[] =>
  Array.isArray(value) ? value : Object.values(value);

/** Whether `value` nests deeper than `limit` levels. Looks no deeper than that, so it cannot overflow. */
export const isDeeperThan = (value: unknown, limit: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  for (const child of childrenOf(value)) if (isDeeperThan(child, limit - 1)) return true;
  return false;
};

/** Whether a number too large for JavaScript stands in `value`: it would be stored as null. */
export const hasInfinity = (value: unknown): boolean => {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  for (const child of childrenOf(value)) if (hasInfinity(child)) return true;
  return false;
};

/**
 * Whether two values say the same as JSON, however their fields are ordered. `Bun.deepEquals` (1.4.5) takes
 * `{"__proto__": {}}` for the same as `{}`.
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

/** JSON with the keys sorted at every level: equal content gives equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, child: unknown) =>
    isObject(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
