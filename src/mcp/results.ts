import { cutText } from "../domain/base/text.ts";
import type { RecordRow } from "../domain/records/row.ts";
import { type Author, type Caller, mayRead } from "../domain/people/account.ts";
import type { FolderRow } from "../domain/tasks/folder.ts";
import { fieldsWith, TASK_FIELDS, type TaskRow } from "../domain/tasks/task-fields.ts";
import type { ToolResult } from "./tool.ts";

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
export const filling = <Row, Shown>(
  rows: readonly Row[],
  show: (row: Row) => Shown,
  room: number,
): readonly Shown[] => {
  const shown: Shown[] = [];
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
export const fillingTexts = <Shown>(
  rows: readonly string[],
  show: (row: string) => Shown,
  room: number,
): readonly Shown[] => {
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

/**
 * Characters that are invisible or change how the text around them is shown. With them, the title of a web page can
 * hide words from a person that a language model still reads. They are Unicode's ignorable characters (including tags
 * and variation selectors), direction controls, control characters except tab and line feed, lone surrogates, line
 * and paragraph separators, and the interlinear annotation and object replacement characters.
 */
const HIDDEN = /[[\p{DI}\p{Bidi_C}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffc]--[\t\n]]/gv;

/** Most texts are ids, times and urls, and contain none of these. */
const PLAIN = /^[\t\n -~]*$/;

/**
 * Returns text in a form that is safe for an agent to read. Characters that are invisible or change the direction of
 * text become visible escapes (`\u{202e}`); everything else is unchanged. Applying it twice changes nothing more.
 */
export const sanitise = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(HIDDEN, (character, at: number) =>
        belongs(character, text.slice(Math.max(at - 3, 0), at), text.charAt(at + 1))
          ? character
          : escaped(character),
      );

/** Scripts in use today in which a joiner changes how a letter is written, so it is part of the spelling. */
const SCRIPTS = [
  "Adlm Arab Mong Nkoo Syrc",
  "Beng Deva Gujr Guru Knda Mlym Orya Sinh Taml Telu",
  "Bali Cakm Java Khmr Lana Mymr Sund Tibt",
]
  .flatMap((names) => names.split(" "))
  .map((script) => `\\p{scx=${script}}`);

const JOINING = new RegExp(`[[${SCRIPTS.join("")}]--\\p{DI}]$`, "v");
const PICTURE = /[\p{ExtPict}\p{EMod}]\ufe0f?$/v;
const EMOJI = /[\p{Emoji}--[\0-\x7f]]$/v;

/**
 * Whether a character is a legitimate part of its surroundings: of a spelling, an emoji sequence, a keycap or a line
 * end.
 */
const belongs = (character: string, before: string, after: string): boolean => {
  switch (character) {
    case "\u200c":
      return JOINING.test(before);
    case "\u200d":
      return JOINING.test(before) || PICTURE.test(before);
    case "\ufe0e":
      return EMOJI.test(before);
    case "\ufe0f":
      return EMOJI.test(before) || (after === "\u20e3" && /[\d#*]$/.test(before));
    default:
      return character === "\r" && after === "\n";
  }
};

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

// Rows as agents get them: as over REST, but without nulls, and with the author on every text. The fields are set one
// by one, because spreading objects takes longer than reading the row. The limits below are above what agents can
// send. Devices can store more.

/** In characters: how much is shown of a title, a name or a url. */
export const LINE = 2_000;
/** In characters: how much is shown of a status or a colour. */
const WORD = 300;

/** Who works on a task, where its row says so. */
type Claimed = { readonly claimed_by: string | null; readonly claimed_until: string | null };

const SHOWN = fieldsWith("inResults").map((name) => ({
  name,
  most: TASK_FIELDS[name].inResults.most,
}));

/** Returns a task as lists show it, from its JSON text. */
export const taskResult = (row: string): ToolResult => {
  const task = JSON.parse(row) as TaskRow & Partial<Claimed>;
  const shown: Record<string, unknown> = {};
  for (const { name, most } of SHOWN) {
    const value = task[name];
    if (typeof value === "string" && most !== null) put(shown, name, value, most);
    else if (value !== null && !isEmptyList(value)) shown[name] = value;
  }
  if (shown["created_by"] === "person") delete shown["created_by"];
  put(shown, "claimed_by", task.claimed_by ?? null, WORD);
  if (task.claimed_until) shown["claimed_until"] = task.claimed_until;
  return shown;
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

type Sent = { readonly caller: Caller; readonly args: ToolResult };

/** Returns the task that a write returned: to a caller without `read`, its id. */
export const recordResult = (
  { id, row }: RecordRow,
  { caller }: Pick<Sent, "caller">,
): ToolResult => ({ task: mayRead(caller) ? taskResult(row) : { id } });

/** Returns the tasks that were changed: to a caller without `read`, their ids and the fields that were sent. */
export const changedResult = (
  rows: readonly RecordRow[],
  { caller, args }: Sent & { readonly args: { readonly task_ids: readonly string[] } },
): ToolResult => {
  const { task_ids: _ids, override: _override, if_match: _match, ...sent } = args as ToolResult;
  return {
    tasks: rows.map(({ id, row }) => (mayRead(caller) ? taskResult(row) : { ...sent, id })),
  };
};

/** Returns the task that a write has just made, of which its caller may see everything. */
export const newTaskResult = ({ row }: RecordRow): ToolResult => ({ task: taskResult(row) });

export const folderResult = (row: string): ToolResult => {
  const folder = JSON.parse(row) as FolderRow & { readonly task_count: number };
  const shown: Record<string, unknown> = { id: folder.id };
  put(shown, "name", folder.name, LINE);
  put(shown, "colour", folder.colour, WORD);
  shown["task_count"] = folder.task_count;
  putAuthor(shown, folder);
  return shown;
};

/** Adds who created something if that was an agent, with the name of its key. */
export const putAuthor = (shown: Record<string, unknown>, author: Author): void => {
  if (author.created_by !== "agent") return;
  shown["created_by"] = author.created_by;
  if (author.created_by_key !== null) shown["created_by_key"] = author.created_by_key;
};
