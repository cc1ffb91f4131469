import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as credentials from "./credentials.ts";
import * as history from "./history.ts";
import * as imports from "./imports.ts";
import * as records from "./records.ts";
import * as signIn from "./sign-in.ts";

/** Returns all tables, those first that others refer to. */
export const allTables = (): readonly SQLiteTable[] =>
  [records, credentials, history, signIn, imports]
    .flatMap((schema) => Object.values(schema) as unknown[])
    .filter((value): value is SQLiteTable => is(value, SQLiteTable));
