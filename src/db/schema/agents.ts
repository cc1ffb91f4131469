import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

// What agents need beside the records: which tasks they work on, and what left their reach.

/** Which key works on a task, until when. It is over once that time is, without any sweeping. */
export const claim = sqliteTable(
  "claim",
  {
    accountId: integer("account_id").notNull(),
    taskId: text("task_id").notNull(),
    id: text().notNull(),
    keyId: text("key_id").notNull(),
    until: integer().notNull(),
    /** For how long it was asked, in ms. A write by its key makes it last that long again. */
    length: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.taskId] }),
    uniqueIndex("claim_id").on(table.accountId, table.id),
  ],
);

/**
 * Tasks that left a folder, or the inbox, by moving, closing, or going into the trash or away, with the stamp of the last
 * time. A key that is kept to some folders learns from it what it can no longer see. An empty task stands for all tasks of
 * a bucket that went into the trash, or came out of it.
 */
export const departure = sqliteTable(
  "departure",
  {
    accountId: integer("account_id").notNull(),
    /** `folder:ID`, `bucket:ID` or `inbox`. */
    container: text().notNull(),
    taskId: text("task_id").notNull(),
    stamp: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.container, table.taskId] }),
    index("departure_stamp").on(table.accountId, table.stamp),
  ],
);
