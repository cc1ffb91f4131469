import { getTableConfig } from "drizzle-orm/sqlite-core";
import type { Orm } from "../query.ts";
import { allTables, numberOf } from "../schema/tables.ts";

/** Lets the ids that PostgreSQL chooses go on above those of rows that were copied with their ids. */
export const continueNumbers = async (orm: Orm): Promise<void> => {
  for (const table of allTables()) {
    const { name } = getTableConfig(table);
    const own = numberOf(table);
    if (own === undefined || name === "server") continue;
    await orm
      .statement(
        `select setval(pg_get_serial_sequence('"${name}"', '${own}'), (select coalesce(max("${own}"), 0) + 1 from "${name}"), false)`,
      )
      .run();
  }
};
