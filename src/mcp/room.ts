import { inert } from "../inert.ts";

/**
 * Characters of JSON that one answer of a tool has at most: some 10,000 tokens, which clients take. What does
 * not fit is left out, and the answer says so.
 */
export const MAX_ANSWER = 40_000;

/** What an answer holds beside its rows. */
const FRAME = 2_000;

/** Characters that the rows of one answer may have together. */
export const ROOM = MAX_ANSWER - FRAME;

/** Every text in a value made inert, at every depth. Field names are ours. */
export const inertly = (value: unknown): unknown => {
  if (typeof value === "string") return inert(value);
  if (Array.isArray(value)) return value.map(inertly);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inertly(one)]));
};

/** How many of `rows`, from the first one on, have room: at least one, so that whoever goes on gets on. */
export const fitting = (rows: readonly unknown[], room: number): number => {
  let left = room;
  const over = rows.findIndex((row) => (left -= sizeOf(row) + 1) < 0);
  return over === -1 ? rows.length : Math.max(over, 1);
};

export const sizeOf = (value: unknown): number => JSON.stringify(inertly(value)).length;

/** A text that may be as long as a whole payload, cut: `name`, and `name_cut` with its true length where it is. */
export const cut = (name: string, text: string, most: number) =>
  text.length <= most
    ? { [name]: text }
    : { [name]: text.slice(0, most).toWellFormed(), [`${name}_length`]: text.length };
