import { sql } from "drizzle-orm";
import type { Word } from "../../domain/tasks/search.ts";
import { direct } from "./direct-query.ts";
import type { Orm } from "./orm.ts";
import { record } from "../schema/records.ts";
import { searchTask } from "../schema/search.ts";

/** Where all words of a search are looked for: what is found in less is shown first. */
const COLUMN_GROUPS = ["title", "title tabs", "title tabs notes", "title tabs notes urls"];

/**
 * The tasks in which all words are found, each with its `tier` (see `findHits`). SQLite's own rank is not used: it
 * weighs a word by how rare it is in all tasks of the server, so the order of what a caller may see would tell of
 * what they may not.
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
 * Finds the account's tasks in which all words are: for each of the ways in which they may match (`matchesOf`) the
 * numbers, in the index, of those that match no better one. As JSON.
 */
export const findHits = (orm: Orm, accountId: number, words: readonly Word[]): string => {
  const matches = matchesOf(accountId, words);
  const hitsOf = (match = "") => selectHits(orm).all({ match });
  // The last one finds all that any of them does, and mostly the first ones settle it.
  const left = new Set(hitsOf(matches.at(-1)).map(({ number }) => number));
  const settle = (match: string): readonly number[] =>
    hitsOf(match).flatMap(({ number }) => (left.delete(number) ? [number] : []));
  const tiers = matches.slice(0, -1).map((match) => (left.size === 0 ? [] : settle(match)));
  return JSON.stringify([...tiers, [...left]]);
};

/**
 * The ways in which an account's tasks may match, the best first: with all words in few places, and whole
 * rather than begun. Each is an expression of FTS5, in which a quoted text is a phrase and nothing else.
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
