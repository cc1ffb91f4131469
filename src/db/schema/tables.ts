import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as agents from "./agents.ts";
import * as credentials from "./credentials.ts";
import * as history from "./history.ts";
import * as icons from "./icons.ts";
import * as imports from "./imports.ts";
import * as records from "./records.ts";
import * as signIn from "./sign-in.ts";

/** Returns all tables, those first that others refer to. */
export const allTables = (): readonly SQLiteTable[] =>
  [records, credentials, history, signIn, imports, icons, agents]
    .flatMap((schema) => Object.values(schema) as unknown[])
    .filter((value): value is SQLiteTable => is(value, SQLiteTable));

/** The name of the column that numbers a table's rows, if its primary key is a number. */
export const numberOf = (table: SQLiteTable): string | undefined =>
  getTableConfig(table).columns.find(
    (column) => column.primary && column.getSQLType() === "integer",
  )?.name;
