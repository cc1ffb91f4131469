import type { Hits } from "../../records/lists/task-filter.ts";
import type { Database } from "bun:sqlite";
import { breathe } from "../../../domain/base/breathe.ts";
import { tokensOf, type Word } from "../../../domain/tasks/search.ts";
import { addressToken, placeToken } from "./follow.ts";

/** What the index is asked for: tasks that contain all words, and that have a tab with this address. */
export type Sought = {
  readonly words: readonly Word[] | null;
  readonly url: string | null;
  /** The numbers of the tasks to look at: an account's, or that of its inbox task alone. */
  readonly range: readonly [number, number];
  /**
   * The tasks to look at are those in one of the folders of each list (null for no folder). What a key may not see is not
   * looked at, so that it neither takes the place of what it may see nor shows in `partial`.
   */
  readonly places: readonly (readonly (string | null)[])[];
};

/** The columns in which all words of a search are looked for. A match in fewer columns ranks higher. */
const COLUMN_GROUPS = ["title", "title tabs", "title tabs notes", "title tabs notes urls"];

/** One search looks at this many tasks, those that changed last, and works for this long, in ms. */
export const MOST_LOOKED_AT = 10_000;
const MOST_TIME = 500;

/**
 * Finds the tasks sought, the newest change first, and sorts them by how well they match. `holds` says whether a task
 * really has the address, and the words that `comesBack` left open. Others go on between two rows; the time that they take is
 * not counted. `now` is a clock, in ms.
 */
export const findHits = async (
  index: Database,
  sought: Sought,
  holds: (taskId: string) => boolean,
  now = (): number => performance.now(),
): Promise<Hits> => {
  let ends = now() + MOST_TIME;
  const isLate = (): boolean => now() > ends;
  const letOthers = async (): Promise<void> => {
    const since = now();
    await breathe();
    ends += now() - since;
  };

  const matches = matchesOf(sought);
  const found = new Map<number, string>();
  let lookedAt = 0;
  let partial = false;
  using all = index.prepare<{ number: number; id: string }, [string, number, number]>(
    `SELECT search.rowid AS number, task.id FROM search CROSS JOIN task ON task.number = search.rowid
     WHERE search MATCH ? AND search.rowid BETWEEN ? AND ? ORDER BY search.rowid DESC`,
  );
  // The last kind of match finds every task that any other finds.
  for (const { number, id } of all.iterate(matches.at(-1) ?? "", ...sought.range)) {
    lookedAt += 1;
    partial = lookedAt > MOST_LOOKED_AT || isLate();
    if (partial) break;
    if (holds(id)) found.set(number, id);
    await letOthers();
  }

  using some = index.prepare<{ number: number }, [string, number, number]>(
    "SELECT rowid AS number FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC",
  );
  const tiers: string[][] = [];
  for (const match of matches.slice(0, -1)) {
    const ids: string[] = [];
    tiers.push(ids);
    if (found.size === 0 || isLate()) continue;
    const oldest = [...found.keys()].at(-1) ?? 0;
    for (const { number } of some.iterate(match, oldest, sought.range[1])) {
      const id = found.get(number);
      if (id !== undefined && found.delete(number)) ids.push(id);
      if (isLate()) break;
      await letOthers();
    }
  }
  return { tiers: [...tiers, [...found.values()]], partial: partial || isLate() };
};

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
