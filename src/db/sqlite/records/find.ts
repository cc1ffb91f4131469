import { and, eq, sql } from "drizzle-orm";
import type { RecordKey, Table } from "../../../domain/base/record.ts";
import type { RecordRow } from "../../../domain/records/row.ts";
import { record } from "../../schema/records.ts";
import { breathe } from "../../../domain/base/breathe.ts";
import { columnsOf, direct } from "../direct-query.ts";
import type { Orm } from "../orm.ts";

const selectRecord = direct<RecordRow>((orm) =>
  orm
    .select(columnsOf(record))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
      ),
    ),
);

export const findRecord = (
  orm: Orm,
  accountId: number,
  table: Table,
  id: string,
): RecordRow | null => selectRecord(orm).get({ accountId, table, id }) ?? null;

/**
 * Returns one entry per key, in the order of the keys. 500 keys take 1.5 ms this way, and the same in one query over a
 * list of keys.
 */
export const findRecords = async (
  orm: Orm,
  accountId: number,
  keys: readonly RecordKey[],
): Promise<readonly (RecordRow | null)[]> => {
  const select = selectRecord(orm);
  const rows: (RecordRow | null)[] = [];
  for (const { table, id } of keys) {
    await breathe();
    rows.push(select.get({ accountId, table, id }) ?? null);
  }
  return rows;
};
