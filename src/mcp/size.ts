import { sanitise } from "./sanitise.ts";
import { cutText } from "../domain/base/text.ts";

/**
 * In characters of JSON: the longest answer of a tool, about 10,000 tokens, which clients accept. What does not fit
 * is left out, and the answer says so.
 */
export const MAX_ANSWER = 40_000;

/** In characters: what an answer needs in addition to its rows. */
const FRAME = 2_000;

/** In characters: how much the rows of one answer may take together. */
export const ROOM = MAX_ANSWER - FRAME;

/**
 * Returns a value with every text in it made safe (see `sanitise`), at every depth, and its JSON. Field names are our
 * own and need no check.
 */
export const sanitiseAll = <Value>(
  value: Value,
): { readonly value: Value; readonly json: string } => {
  const json = JSON.stringify(value);
  if (isPlain(json)) return { value, json };
  // Only the texts have changed, so the type is the same.
  const made = everySanitised(value) as Value;
  return { value: made, json: JSON.stringify(made) };
};

/** Most answers are plain ASCII and need no more work. JSON writes control characters as escapes. */
const isPlain = (json: string): boolean => /^[ -~]*$/.test(json) && !/\\[bfru]/.test(json);

const everySanitised = (value: unknown): unknown => {
  if (typeof value === "string") return sanitise(value);
  if (Array.isArray(value)) return value.map(everySanitised);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, everySanitised(one)]),
  );
};

/**
 * Returns as many rows as fit into `room` characters, as they are shown. At least one, so that a caller who continues
 * the list always makes progress.
 */
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

/**
 * The same for rows that are JSON texts of which a part is shown. If the whole texts fit, the rows need not be
 * measured one by one.
 */
export const fillingTexts = <ToolResult>(
  rows: readonly string[],
  show: (row: string) => ToolResult,
  room: number,
): readonly ToolResult[] => {
  const all = rows.join();
  return all.length < room && isPlain(all) ? rows.map(show) : filling(rows, show, room);
};

/** How many characters a value takes in an answer, escapes included. */
export const sizeOf = (value: unknown): number => sanitiseAll(value).json.length;

/**
 * Adds a text to what is shown, unless it is null. A device may have stored a text as long as a whole payload: if it
 * takes more than `most` characters, only its beginning is added as `name`, and its full length as `name_length`.
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
    if (sizeOf(cutText(text, middle)) <= most + QUOTES) fits = middle;
    else over = middle;
  }
  return cutText(text, fits);
};

const QUOTES = 2;
/** The most characters that one can take in JSON: a backslash, which JSON doubles, and `u{200b}`. */
const WIDEST = 9;
