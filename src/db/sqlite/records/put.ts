import { getTableColumns, sql } from "drizzle-orm";
import { payloadOf, type RecordRow } from "../../../domain/sync/row.ts";
import type { RecordWrite } from "../../../domain/sync/replacement.ts";
import type { Payload } from "../../../domain/base/payload.ts";
import { record } from "../../schema/records.ts";
import { direct } from "../direct-query.ts";
import type { Orm } from "../orm.ts";
import { indexTask } from "../search-index.ts";
import { writeUrls } from "../tab-urls.ts";

const COLUMNS = Object.entries(getTableColumns(record));
const KEY: readonly string[] = ["accountId", "table", "id"];

const upsertRecord = direct((orm) => {
  const values = COLUMNS.map(([key]) => [key, sql.placeholder(key)]);
  const replaced = COLUMNS.filter(([key]) => !KEY.includes(key));
  return orm
    .insert(record)
    .values(Object.fromEntries(values) as typeof record.$inferInsert)
    .onConflictDoUpdate({
      target: [record.accountId, record.table, record.id],
      set: Object.fromEntries(
        replaced.map(([key, column]) => [key, sql.raw(`excluded."${column.name}"`)]),
      ),
    });
});

/**
 * Stores rows with all that is derived from them: the URLs of each task, and the full-text index. One statement per row:
 * for 500 rows it takes 3.5 ms, statements for 10, 50 or 250 rows 3.1 to 3.4 ms, and the index takes 10 ms more.
 */
export const putRecords = (orm: Orm, writes: readonly RecordWrite[]): void => {
  const upsert = upsertRecord(orm);
  for (const { row } of writes) upsert.run(row);
  for (const { row, before } of writes) {
    if (row.table !== "sync_tasks" || hasSameContent(row, before)) continue;
    const [after, then] = [livePayload(row), livePayload(before)];
    writeUrls(orm, row, after, then);
    indexTask(orm, row, after, then);
  }
};

const hasSameContent = (row: RecordRow, before: RecordRow | null): boolean =>
  row.payload === before?.payload && row.deletedAt === before.deletedAt;

/** Null if the task is deleted or did not exist. */
const livePayload = (row: RecordRow | null): Payload | null =>
  row?.deletedAt === null ? payloadOf(row) : null;
