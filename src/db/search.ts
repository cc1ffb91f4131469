import { sql } from "drizzle-orm";
import type { Word } from "../search.ts";
import { record } from "./schema.ts";
import { searchTask } from "./schema.search.ts";

/** Where all words of a search are looked for: what is found in less is shown first. */
const PLACES = ["title", "title tabs", "title tabs notes", "title tabs notes urls"];

/**
 * The tasks in which all words are found, each with the first of the `matches` (`matchesOf`) that it fits, its
 * `tier`. SQLite's own rank is not used: it weighs a word by how rare it is in all tasks of the server, so
 * the order of what a caller may see would tell of what they may not.
 */
export const FOUND = sql`(
    select ${searchTask.taskId} as task_id, hit.tier as tier
    from (
      select search.rowid as number, min(json_each.key) as tier
      from json_each(${sql.placeholder("matches")}) cross join search on search match json_each.value
      group by search.rowid
    ) as hit
    cross join ${searchTask} on ${searchTask.id} = hit.number
      and ${searchTask.accountId} = ${sql.placeholder("accountId")}
  ) as found
  cross join ${record} on ${record.accountId} = ${sql.placeholder("accountId")}
    and ${record.table} = 'sync_tasks' and ${record.id} = found.task_id`;

export const TIER = sql<number>`found.tier`;

/**
 * The ways in which an account's tasks may match, the best first: with all words in few places, and whole
 * rather than begun. As JSON; each is an expression of FTS5, in which a quoted text is a phrase and nothing else.
 */
export const matchesOf = (accountId: number, words: readonly Word[]): string => {
  const whole = words.map(({ text }) => quoted(text)).join(" AND ");
  const begun = words.map(({ text, begins }) => quoted(text) + (begins ? "*" : "")).join(" AND ");
  return JSON.stringify(
    PLACES.flatMap((columns) =>
      [...new Set([whole, begun])].map(
        (text) => `account : "${accountId}" AND {${columns}} : (${text})`,
      ),
    ),
  );
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
