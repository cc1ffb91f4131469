import { sql } from "drizzle-orm";
import type { Word } from "../../domain/tasks/search.ts";
import { direct } from "./direct-query.ts";
import type { Orm } from "./orm.ts";
import { record } from "../schema/records.ts";
import { searchTask } from "../schema/search.ts";

/** The columns in which all words of a search are looked for. A match in fewer columns ranks higher. */
const COLUMN_GROUPS = ["title", "title tabs", "title tabs notes", "title tabs notes urls"];

/**
 * The tasks that contain all words, each with its `tier` (see `findHits`). SQLite's own rank is not used: it
 * weighs a word by its rarity among all tasks on the server, so the order of visible tasks would reveal
 * something about hidden ones.
 */
export const FOUND = sql`(
    select ${searchTask.taskId} as task_id, hits.key as tier
    from json_each(${sql.placeholder("hits")}) as hits cross join json_each(hits.value) as hit
    cross join ${searchTask} on ${searchTask.id} = hit.value
      and ${searchTask.accountId} = ${sql.placeholder("accountId")}
  ) as found
  cross join ${record} on ${record.accountId} = ${sql.placeholder("accountId")}
    and ${record.table} = 'sync_tasks' and ${record.id} = found.task_id`;

export const TIER = sql<number>`found.tier`;

const selectHits = direct<{ readonly number: number }>((orm) =>
  orm
    .select({ number: sql`rowid`.as("number") })
    .from(sql`search`)
    .where(sql`search match ${sql.placeholder("match")}`),
);

/**
 * Finds the account's tasks that contain all words. Returns JSON: for each kind of match (`matchesOf`), the
 * index numbers of the tasks for which it is the best one.
 */
export const findHits = (orm: Orm, accountId: number, words: readonly Word[]): string => {
  const matches = matchesOf(accountId, words);
  const hitsOf = (match = "") => selectHits(orm).all({ match });
  // The last kind finds every task that any other finds, and the first ones usually account for all of them.
  const left = new Set(hitsOf(matches.at(-1)).map(({ number }) => number));
  const settle = (match: string): readonly number[] =>
    hitsOf(match).flatMap(({ number }) => (left.delete(number) ? [number] : []));
  const tiers = matches.slice(0, -1).map((match) => (left.size === 0 ? [] : settle(match)));
  return JSON.stringify([...tiers, [...left]]);
};

/**
 * Returns the kinds of match, best first: all words in few columns, and whole words before prefixes. Each is
 * an FTS5 expression in which quoted text is only ever a phrase.
 */
export const matchesOf = (accountId: number, words: readonly Word[]): readonly string[] => {
  const whole = words.map(({ text }) => quoted(text)).join(" AND ");
  const begun = words.map(({ text, begins }) => quoted(text) + (begins ? "*" : "")).join(" AND ");
  return COLUMN_GROUPS.flatMap((columns) =>
    [...new Set([whole, begun])].map(
      (text) => `account : "${accountId}" AND {${columns}} : (${text})`,
    ),
  );
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
