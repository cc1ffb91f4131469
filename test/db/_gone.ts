import { type Gone, listGone } from "../../src/db/gone.ts";
import { restoreGone } from "../../src/db/restoring.ts";
import { formatInstant } from "../../src/instant.ts";
import type { Table } from "../../src/record.ts";
import { NOON } from "../_server.ts";
import { annsRecords } from "./_past.ts";
import { openForTest } from "./_store.ts";

/** What makes a push a deletion. */
export const DELETED = { deleted_at: formatInstant(NOON) };
export const NOT_KEPT = {
  reason: "invalid" as const,
  message: "This cannot be restored. Its content from before the deletion is no longer kept.",
  headers: {},
};

/** Ann's records, two devices of hers, and what is gone of hers. */
export const goneWorld = async () => {
  const records = await annsRecords(openForTest());
  const { store, ann, now, device } = records;
  const [phone, laptop] = [device("phone"), device("laptop")];
  const restore = (id: string, table: Table = "sync_tasks") =>
    restoreGone(store, ann, table, id, now());
  const gone = async (at = now()): Promise<readonly Gone[]> =>
    (await listGone(store, ann, { after: null, limit: 100 }, at)).rows;
  const listed = async () => (await gone()).map(({ id, how, title }) => `${id} ${how}: ${title}`);
  return { ...records, phone, laptop, restore, gone, listed };
};
