import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { openStore, type Store } from "../../src/db/open.ts";
import { NOON } from "../_server.ts";
import { databaseFile } from "./_store.ts";

/** How SQLite goes about each query that `work` reads with: the very SQL and values that were run. */
export const readPlans = async (
  directory: string,
  work: (store: Store) => unknown,
): Promise<readonly string[]> => {
  const ran: { sql: string; values: unknown[] }[] = [];
  const opened = openStore({ directory, role: "visitor", now: NOON });
  const database = new Database(databaseFile(directory));
  const logger = { logQuery: (sql: string, values: unknown[]) => ran.push({ sql, values }) };
  try {
    await work({ ...opened, reader: drizzle(database, { logger }) });
    return ran.map(({ sql, values }) =>
      database
        .query<{ detail: string }, never[]>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...(values as never[]))
        .map(({ detail }) => detail)
        .join("; "),
    );
  } finally {
    database.close();
    await opened.close();
  }
};
