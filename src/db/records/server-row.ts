import { type RecordKey, syncRow } from "../../domain/base/record.ts";
import { findRecord } from "../sqlite/records/find.ts";
import type { Store } from "../store.ts";

/**
 * The row that stands in a listed record's place, as JSON text. Read one by one while the reply is
 * written: together they can be far larger than the push.
 */
export const readServerRow = async (
  store: Store,
  accountId: number,
  { table, id }: RecordKey,
): Promise<string> => {
  const row = findRecord(store.reader, accountId, table, id);
  return row ? syncRow(row) : "null";
};
