import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Table } from "../../domain/base/record.ts";

/** Files that people imported. A row whose import was killed says how far it came. */
export const fileImport = sqliteTable(
  "file_import",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer("account_id").notNull(),
    /** The file's name, and the tool that it is from. */
    name: text().notNull(),
    format: text().notNull(),
    /** SHA-256 of the file and of how it was to be read. */
    digest: text().notNull(),
    startedAt: integer("started_at").notNull(),
    /** Null while it is under way. */
    finishedAt: integer("finished_at"),
    undoneAt: integer("undone_at"),
    /** How many of the file's tasks are done. */
    done: integer().notNull().default(0),
    /** What it has made. */
    folders: integer().notNull().default(0),
    tasks: integer().notNull().default(0),
    tabs: integer().notNull().default(0),
    notes: integer().notNull().default(0),
    /** The tasks that were there already. */
    known: integer().notNull().default(0),
    /** How much of the file is left out. */
    skipped: integer().notNull(),
    /** The uploaded file, as JSON; null if it is not on the server. */
    upload: text(),
    /** How many tasks or records the file has. */
    total: integer().notNull().default(0),
    /** The first of what is left out, as JSON. */
    leftOut: text("left_out"),
  },
  (table) => [index("file_import_account").on(table.accountId, table.id)],
);

/** What imports have made, or added tabs to. */
export const imported = sqliteTable(
  "imported",
  {
    accountId: integer("account_id").notNull(),
    importId: integer("import_id").notNull(),
    table: text("tbl").$type<Table>().notNull(),
    recordId: text("record_id").notNull(),
    /** The format, and what the source calls the thing; null for a folder. */
    source: text(),
    /** The stamp of the record as the import left it. */
    stamp: integer().notNull(),
    /** The ids of the tabs that were added to a task, as JSON; null for what the import made. */
    tabs: text(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.table, table.recordId] }),
    index("imported_record").on(table.accountId, table.table, table.recordId),
    index("imported_source")
      .on(table.accountId, table.source)
      .where(sql`source is not null`),
  ],
);
