import type { Database, SQLQueryBindings } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Orm, Statement } from "../query.ts";
import { enterSharedRead, markOf } from "./shared-reads.ts";

/**
 * A connection to the embedded database. SQLite has every result at once, so what callers await are the results themselves:
 * to await a promise takes longer than many a query.
 */
export const ormOf = (database: Database): Orm => {
  const statement = <Row>(text: string) => {
    const prepared = database.prepare<Row, SQLQueryBindings[]>(text);
    return {
      run: (...values: SQLQueryBindings[]) => prepared.run(...values),
      get: (...values: SQLQueryBindings[]) => {
        enterSharedRead(database);
        return prepared.get(...values) ?? undefined;
      },
      all: (...values: SQLQueryBindings[]) => {
        enterSharedRead(database);
        return prepared.all(...values);
      },
    } as unknown as Statement<Row>;
  };
  const own = { statement, mark: () => markOf(database) };
  return Object.assign(drizzle(database), own) as unknown as Orm;
};
