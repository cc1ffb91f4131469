import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The number by which the full-text index `search` identifies a task, because its rows have no
 * other key. The index is a virtual table that the migration creates by hand (FTS5).
 */
export const searchTask = sqliteTable(
  "search_task",
  {
    id: integer().primaryKey(),
    accountId: integer("account_id").notNull(),
    taskId: text("task_id").notNull(),
  },
  (table) => [uniqueIndex("search_task_task").on(table.accountId, table.taskId)],
);
