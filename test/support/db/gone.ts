import { type DeletedRecord, listDeleted } from "../../../src/db/history/deleted.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import type { Table } from "../../../src/domain/base/record.ts";
import { NOON } from "../server.ts";
import { annsRecords } from "./past.ts";
import { openForTest } from "./store.ts";
import { restoreDeleted } from "../rules.ts";

/** Fields that turn a push into a deletion. */
export const DELETED = { deleted_at: formatInstant(NOON) };
export const NOT_KEPT = {
  reason: "invalid" as const,
  message: "This cannot be restored. Its content from before the deletion is no longer kept.",
  headers: {},
};

/** ann's records, two devices of hers, and her list of deleted records. */
export const goneWorld = async () => {
  const records = await annsRecords(await openForTest());
  const { store, ann, now, device } = records;
  const [phone, laptop] = [device("phone"), device("laptop")];
  const restore = (id: string, table: Table = "sync_tasks") =>
    restoreDeleted(store, ann, table, id, now());
  const gone = async (at = now()): Promise<readonly DeletedRecord[]> =>
    (await listDeleted(store, ann, { after: null, limit: 100 }, at)).rows;
  const listed = async () => (await gone()).map(({ id, how, title }) => `${id} ${how}: ${title}`);
  return { ...records, phone, laptop, restore, gone, listed };
};
