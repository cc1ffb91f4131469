import { type RecordKey, syncRow } from "../../domain/base/record.ts";
import { markOf } from "../../domain/base/rev.ts";
import { readEpoch } from "./clock.ts";
import { findRecord } from "./find.ts";
import type { Store } from "../store.ts";

/**
 * Returns the stored row of a listed record as JSON text, or `null` as text. Called for one record at a time while the
 * reply is written: together the rows can be far larger than the push.
 */
export const readServerRow = async (
  store: Store,
  accountId: number,
  { table, id }: RecordKey,
): Promise<string> => {
  const row = await findRecord(store.reader, accountId, table, id);
  return row ? syncRow(row, markOf(await readEpoch(store.reader))) : "null";
};
