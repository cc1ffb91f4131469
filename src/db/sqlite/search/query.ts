import type { Database } from "bun:sqlite";
import { tokensOf, type Word } from "../../../domain/tasks/search.ts";
import { addressToken, placeToken } from "./follow.ts";

/** What the index is asked for: tasks that contain all words, and that have a tab with this address. */
export type Sought = {
  readonly words: readonly Word[] | null;
  readonly url: string | null;
  /**
   * The tasks to look at: those in one of the folders of each list (null for no folder), and, if `only` is set, that one
   * task. What a key may not see is not looked at, so that it neither takes the place of what it may see nor shows in
   * `partial`.
   */
  readonly places: readonly (readonly (string | null)[])[];
  readonly only: number | null;
};

/** The ids of the tasks found, by tier, best first. `partial` says that there may be more. */
export type Hits = { readonly tiers: readonly (readonly string[])[]; readonly partial: boolean };

/** The columns in which all words of a search are looked for. A match in fewer columns ranks higher. */
const COLUMN_GROUPS = ["title", "title tabs", "title tabs notes", "title tabs notes urls"];

/** One search looks at this many tasks, those that changed last, and works for this long, in ms. */
export const MOST_LOOKED_AT = 10_000;
const MOST_TIME = 500;

/**
 * Finds the tasks sought, the newest change first, and sorts them by how well they match. `holds` says whether a task
 * really has the address, and the words that `comesBack` left open. Yields after each row, so that other work can go on
 * between two; `worked` says how long this one has worked, in ms.
 */
export function* findHits(
  index: Database,
  sought: Sought,
  holds: (taskId: string) => boolean,
  worked: () => number,
): Generator<undefined, Hits> {
  const isLate = (): boolean => worked() > MOST_TIME;
  const matches = matchesOf(sought);
  const { found, partial } = yield* lookAtAll(
    index,
    matches.at(-1) ?? "",
    sought.only,
    holds,
    isLate,
  );
  const tiers: string[][] = [];
  for (const match of matches.slice(0, -1))
    tiers.push(found.size === 0 || isLate() ? [] : yield* settle(index, match, found, isLate));
  return { tiers: [...tiers, [...found.values()]], partial: partial || isLate() };
}

/** The last kind of match finds every task that any other finds. Returns their ids by their numbers in the index. */
function* lookAtAll(
  index: Database,
  match: string,
  only: number | null,
  holds: (taskId: string) => boolean,
  isLate: () => boolean,
): Generator<undefined, { readonly found: Map<number, string>; readonly partial: boolean }> {
  using all = index.prepare<{ number: number; id: string }, [string, number, number]>(
    `SELECT search.rowid AS number, task.id FROM search CROSS JOIN task ON task.number = search.rowid
     WHERE search MATCH ? AND search.rowid BETWEEN ? AND ? ORDER BY search.rowid DESC`,
  );
  const found = new Map<number, string>();
  let lookedAt = 0;
  for (const { number, id } of all.iterate(match, only ?? 0, only ?? Number.MAX_SAFE_INTEGER)) {
    lookedAt += 1;
    if (lookedAt > MOST_LOOKED_AT || isLate()) return { found, partial: true };
    if (holds(id)) found.set(number, id);
    yield;
  }
  return { found, partial: false };
}

/** Takes the tasks of one kind of match out of `left`, and returns their ids. */
function* settle(
  index: Database,
  match: string,
  left: Map<number, string>,
  isLate: () => boolean,
): Generator<undefined, string[]> {
  const oldest = [...left.keys()].at(-1) ?? 0;
  using some = index.prepare<{ number: number }, [string, number]>(
    "SELECT rowid AS number FROM search WHERE search MATCH ? AND rowid >= ? ORDER BY rowid DESC",
  );
  const ids: string[] = [];
  for (const { number } of some.iterate(match, oldest)) {
    const id = left.get(number);
    if (id !== undefined && left.delete(number)) ids.push(id);
    if (isLate()) break;
    yield;
  }
  return ids;
}

/**
 * Whether FTS5 looks for this word as one phrase. One that repeats a token costs it up to 18 ms in each task in which it
 * nearly occurs, and FTS5 does not come back from a search before something matches. So it is asked for the tokens alone,
 * and whether they follow one another is left open. A phrase of different tokens costs at most 0.4 ms a task.
 */
export const comesBack = ({ text }: Word): boolean => {
  const tokens = tokensOf(text);
  return new Set(tokens).size === tokens.length;
};

/**
 * Returns the kinds of match, best first: all words in few columns, and whole words before prefixes. Each is
 * an FTS5 expression in which quoted text is only ever a phrase.
 */
const matchesOf = ({ words, url, places }: Sought): readonly string[] => {
  const address = url === null ? [] : [`{addresses} : ${quoted(addressToken(url))}`];
  const within = places.map((folders) => {
    // Of no folder: nothing has this word.
    const tokens = folders.length === 0 ? ["nowhere"] : folders.map(placeToken);
    return `{place} : (${tokens.map(quoted).join(" OR ")})`;
  });
  const also = [...address, ...within];
  if (words === null) return [also.join(" AND ")];
  const phrases = words.flatMap((word) => (comesBack(word) ? [word] : apart(word)));
  const whole = phrases.map(({ text }) => quoted(text)).join(" AND ");
  const begun = phrases.map(({ text, begins }) => quoted(text) + (begins ? "*" : "")).join(" AND ");
  return COLUMN_GROUPS.flatMap((columns) =>
    [...new Set([whole, begun])].map((text) => [...also, `{${columns}} : (${text})`].join(" AND ")),
  );
};

/** The tokens of a word, each as a word of its own. */
const apart = ({ text, begins }: Word): readonly Word[] => {
  const tokens = tokensOf(text);
  const last = { text: tokens.at(-1) ?? "", begins };
  return [...new Set(tokens.slice(0, -1))]
    .map((token) => ({ text: token, begins: false }))
    .concat(last);
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
