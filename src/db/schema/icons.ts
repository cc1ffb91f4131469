import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { account } from "./records.ts";

/** The pictures of web sites, once per host. They are no part of the records: neither synced nor exported. */
export const icon = sqliteTable(
  "icon",
  {
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    host: text().notNull(),
    png: blob({ mode: "buffer" }).notNull(),
    /** When it was first sent. */
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.host] }),
    index("icon_at").on(table.accountId, table.at),
  ],
);
