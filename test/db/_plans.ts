import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { startWriter } from "../../src/db/flush.ts";
import { openStore, type Store } from "../../src/db/open.ts";
import { NO_KEEPER } from "../../src/db/wal.ts";
import { NOON } from "../_server.ts";
import { databaseFile } from "./_store.ts";

/** How SQLite goes about each query that `work` reads with: the very SQL and values that were run. */
export const readPlans = (
  directory: string,
  work: (store: Store) => unknown,
): Promise<readonly string[]> =>
  plansOf(directory, (opened, database, logger) =>
    work({ ...opened, reader: drizzle(database, { logger }) }),
  );

/** How SQLite goes about each query on records that `work` reads or writes with. */
export const writePlans = (
  directory: string,
  work: (store: Store) => unknown,
): Promise<readonly string[]> =>
  plansOf(
    directory,
    (opened, database, logger) => {
      const orm = drizzle(database, { logger });
      const options = { wal: NO_KEEPER, onFatal: undefined };
      const writer = startWriter(database, orm, opened.clock, options);
      return work({ ...opened, reader: orm, writer });
    },
    ({ sql }) => !/(from|update) "(account|server)"/.test(sql),
  );

type Query = { readonly sql: string; readonly values: readonly unknown[] };
type Logger = { readonly logQuery: (sql: string, values: unknown[]) => void };

const plansOf = async (
  directory: string,
  work: (opened: Store, database: Database, logger: Logger) => unknown,
  counts: (query: Query) => boolean = () => true,
): Promise<readonly string[]> => {
  const ran: Query[] = [];
  const opened = openStore({ directory, role: "visitor", now: NOON });
  const database = new Database(databaseFile(directory));
  const logger = { logQuery: (sql: string, values: unknown[]) => void ran.push({ sql, values }) };
  try {
    await work(opened, database, logger);
    return ran.filter(counts).map(({ sql, values }) =>
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
