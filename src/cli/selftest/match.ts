import { shortenedTo } from "../../domain/base/text.ts";

/** What a value must be, where it need not be one certain value. */
type Kind = { readonly what: string; readonly test: (value: unknown) => boolean };

const kind = (what: string, test: (value: unknown) => boolean): Kind => ({ what, test });

export const TEXT = kind("text", (value) => typeof value === "string");
export const FLAG = kind("true or false", (value) => typeof value === "boolean");
export const UTC = kind("a UTC time with milliseconds, such as 2026-01-31T09:30:00.000Z", (value) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
);
export const LIST = kind("an array", Array.isArray);

/**
 * Returns a sentence about the first place where a value is not what was wanted, or null. An object may have more
 * fields than are wanted. An array must have as many elements.
 */
export const mismatch = (value: unknown, wanted: unknown, path = "The reply"): string | null => {
  if (isKind(wanted))
    return wanted.test(value) ? null : `${path} is ${show(value)}, not ${wanted.what}.`;
  if (Array.isArray(wanted))
    return Array.isArray(value) && value.length === wanted.length
      ? first(wanted, (one, at) => mismatch(value[at], one, `${path}[${at}]`))
      : `${path} is ${show(value)}, not an array of ${wanted.length}.`;
  if (!isObject(wanted))
    return value === wanted ? null : `${path} is ${show(value)}, not ${show(wanted)}.`;
  if (!isObject(value)) return `${path} is ${show(value)}, not an object.`;
  const parent = path === "The reply" ? "" : `${path}.`;
  return first(Object.entries(wanted), ([name, one]) => mismatch(value[name], one, parent + name));
};

const first = <One>(
  list: readonly One[],
  look: (one: One, at: number) => string | null,
): string | null => {
  for (const [at, one] of list.entries()) {
    const found = look(one, at);
    if (found !== null) return found;
  }
  return null;
};

const isKind = (value: unknown): value is Kind =>
  isObject(value) && typeof value["test"] === "function";

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as a sentence may quote it, at most 100 characters of it. */
export const show = (value: unknown): string => {
  const text = value === undefined ? "missing" : JSON.stringify(value);
  return shortenedTo(text, 100);
};
