import { sanitise } from "./sanitise.ts";

/**
 * Characters of JSON that one answer of a tool has at most: some 10,000 tokens, which clients take. What does
 * not fit is left out, and the answer says so.
 */
export const MAX_ANSWER = 40_000;

/** What an answer holds beside its rows. */
const FRAME = 2_000;

/** Characters that the rows of one answer may have together. */
export const ROOM = MAX_ANSWER - FRAME;

/** A value with every text in it made inert, at every depth, and its JSON. Field names are ours. */
export const sanitiseAll = <Value>(
  value: Value,
): { readonly value: Value; readonly json: string } => {
  const json = JSON.stringify(value);
  if (isPlain(json)) return { value, json };
  // Its texts are texts still.
  const made = everySanitised(value) as Value;
  return { value: made, json: JSON.stringify(made) };
};

/** Most answers hold nothing else, and are then not taken apart. JSON writes controls as escapes. */
const isPlain = (json: string): boolean => /^[ -~]*$/.test(json) && !/\\[bfru]/.test(json);

const everySanitised = (value: unknown): unknown => {
  if (typeof value === "string") return sanitise(value);
  if (Array.isArray(value)) return value.map(everySanitised);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, everySanitised(one)]),
  );
};

/** Rows as they are shown, from the first one on, as many as have room: at least one, so that whoever goes on gets on. */
export const filling = <Row, ToolResult>(
  rows: readonly Row[],
  show: (row: Row) => ToolResult,
  room: number,
): readonly ToolResult[] => {
  const shown: ToolResult[] = [];
  let left = room;
  for (const row of rows) {
    const next = show(row);
    left -= sizeOf(next) + 1;
    if (left < 0 && shown.length > 0) break;
    shown.push(next);
  }
  return shown;
};

/** The same of rows that are JSON texts and shown in part: where they have room as they are, none is measured. */
export const fillingTexts = <ToolResult>(
  rows: readonly string[],
  show: (row: string) => ToolResult,
  room: number,
): readonly ToolResult[] => {
  const all = rows.join();
  return all.length < room && isPlain(all) ? rows.map(show) : filling(rows, show, room);
};

/** Characters that a value takes in an answer: escapes make it longer than it is. */
export const sizeOf = (value: unknown): number => sanitiseAll(value).json.length;

/**
 * Puts a text that a device may have made as long as a whole payload into what is shown, null aside: as `name`, or its
 * beginning that takes at most `most` characters, and then its own length as `name_length`.
 */
export const put = (
  shown: Record<string, unknown>,
  name: string,
  text: string | null,
  most: number,
): void => {
  if (text === null) return;
  shown[name] = beginning(text, most);
  if (shown[name] !== text) shown[`${name}_length`] = text.length;
};

const beginning = (text: string, most: number): string => {
  if (text.length * WIDEST <= most) return text;
  if (text.length <= most && sizeOf(text) <= most + QUOTES) return text;
  let [fits, over] = [0, Math.min(text.length, most + 1)];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (sizeOf(first(text, middle)) <= most + QUOTES) fits = middle;
    else over = middle;
  }
  return first(text, fits);
};

/** Not to the middle of a character. */
const first = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

const QUOTES = 2;
/** Characters that one can take: a backslash, twice, and `u{200b}`. */
const WIDEST = 9;
