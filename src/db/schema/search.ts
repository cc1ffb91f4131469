import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The number by which the full-text index `search` knows a task: its rows have no other name. The index
 * itself is a virtual table, which the migration makes by hand (FTS5).
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
