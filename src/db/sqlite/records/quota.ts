import { eq, sql } from "drizzle-orm";
import { Refusal } from "../../../domain/base/refusal.ts";
import { byteLength } from "../../../domain/base/text.ts";
import type { RecordRow } from "../../../domain/sync/row.ts";
import type { RecordWrite } from "../../../domain/sync/replacement.ts";
import { record } from "../../schema/records.ts";
import { type Orm, perConnection } from "../orm.ts";

const MIB = 1024 * 1024;

/** The sizes of accounts at most: a sum over all records is slow for a large account. */
const known = perConnection(() => new Map<number, number>());

/**
 * Refuses writes that would let the account's records grow beyond `quota` bytes (507). Writes that do not add anything
 * are never refused, so that a full account can be tidied up. What was removed since, or added in a transaction that was
 * rolled back, counts until the quota seems full. Then everything is counted anew.
 */
export const checkQuota = (
  orm: Orm,
  accountId: number,
  writes: readonly RecordWrite[],
  quota: number,
): void => {
  const sizes = known(orm);
  const added = writes.reduce(
    (sum, { row, before }) => sum + sizeOf(row) - (before ? sizeOf(before) : 0),
    0,
  );
  if (added <= 0) return;
  const seen = sizes.get(accountId);
  const size = seen !== undefined && seen + added <= quota ? seen : recordsSize(orm, accountId);
  if (size + added > quota) throw overQuota(quota);
  sizes.set(accountId, size + added);
};

/** What each record takes up beside its content, in bytes: its row, and its id in four indexes. */
const ROW = 512;
const IDS = 4;

const sizeOf = ({ size, id }: Pick<RecordRow, "id" | "size">): number =>
  size + IDS * byteLength(id) + ROW;

/** What records take up in bytes: their payloads, and all of them as the quota counts it. */
export const sizesOf = {
  content: sql<number>`coalesce(sum(${record.size}), 0)`,
  whole: sql<number>`coalesce(sum(${record.size} + ${IDS} * octet_length(${record.id}) + ${ROW}), 0)`,
};

/** How many bytes an account's tasks, folders and buckets take up, deleted ones included. */
const recordsSize = (orm: Orm, accountId: number): number =>
  orm.select(sizesOf).from(record).where(eq(record.accountId, accountId)).get()?.whole ?? 0;

const overQuota = (quota: number): Refusal =>
  new Refusal(
    "disk_full",
    `This account may take up ${Math.floor(quota / MIB)} MiB on this server, and this would be more. Nothing was changed. ` +
      "Remove tabs, notes or tasks that are no longer needed, or ask the person who runs the server for more.",
  );
