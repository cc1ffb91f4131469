import { getTableColumns, sql } from "drizzle-orm";
import type { RecordWrite } from "../../../domain/sync/replacement.ts";
import { record } from "../../schema/records.ts";
import { eachInSlices } from "../../../domain/base/slices.ts";
import type { MaybePromise } from "../../../domain/base/maybe-promise.ts";
import { direct } from "../direct-query.ts";
import type { Orm } from "../orm.ts";

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
 * Stores rows. One statement per row: for 500 rows it takes 3.5 ms, statements for 10, 50 or 250 rows 3.1 to 3.4 ms. The
 * full-text index follows the rows by their stamps (search/follow.ts). In the order of the key, a large transaction comes
 * back to no page that SQLite has moved to its log already: after that, COMMIT would sum up all that follows in the log
 * again, which took 35 ms of 60 for 60 MiB.
 */
export const putRecords = (orm: Orm, writes: readonly RecordWrite[]): MaybePromise<void> => {
  const upsert = upsertRecord(orm);
  return eachInSlices(writes.toSorted(byKey), ({ row }) => void upsert.run(row));
};

const byKey = ({ row: a }: RecordWrite, { row: b }: RecordWrite): number =>
  a.table === b.table ? compare(a.id, b.id) : compare(a.table, b.table);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
