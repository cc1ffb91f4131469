import { getTableColumns, sql } from "drizzle-orm";
import type { RecordWrite } from "../../../domain/records/replacement.ts";
import { record } from "../../schema/records.ts";
import { compareTexts } from "../../../domain/base/text.ts";
import { breathe } from "../../../domain/base/breathe.ts";
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
 * full-text index follows the rows by their stamps (search/follow.ts). In the order of the key, a long push
 * does not come back to pages of that index.
 */
export const putRecords = async (orm: Orm, writes: readonly RecordWrite[]): Promise<void> => {
  const upsert = upsertRecord(orm);
  for (const { row } of writes.toSorted(byKey)) {
    await breathe();
    upsert.run(row);
  }
};

const byKey = ({ row: a }: RecordWrite, { row: b }: RecordWrite): number =>
  compareTexts(a.table, b.table) || compareTexts(a.id, b.id);
