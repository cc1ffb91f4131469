import { Refusal } from "../../../domain/base/refusal.ts";
import type { RecordWrite } from "../../../domain/records/replacement.ts";
import { type Orm, perConnection } from "../orm.ts";
import { measureRecords, sizeOf } from "./measure.ts";

const MIB = 1024 * 1024;

/** The sizes of accounts at most: a sum over all records is slow for a large account. */
const known = perConnection(() => new Map<number, number>());

/**
 * Refuses writes that would let the account's records grow beyond `quota` bytes (507). Writes that do not add anything
 * are never refused, so that a full account can be tidied up. What was removed since, or added in a transaction that was
 * rolled back, counts until the quota seems full. Then everything is counted anew.
 */
export const checkQuota = async (
  orm: Orm,
  accountId: number,
  writes: readonly RecordWrite[],
  quota: number,
): Promise<void> => {
  const sizes = known(orm);
  const added = writes.reduce(
    (sum, { row, before }) => sum + sizeOf(row) - (before ? sizeOf(before) : 0),
    0,
  );
  if (added <= 0) return undefined;
  const seen = sizes.get(accountId);
  const size = await (seen !== undefined && seen + added <= quota
    ? seen
    : countAll(orm, accountId));
  if (size + added > quota) throw overQuota(quota);
  sizes.set(accountId, size + added);
};

const countAll = async (orm: Orm, accountId: number): Promise<number> =>
  (await measureRecords(orm, accountId)).whole;

const overQuota = (quota: number): Refusal =>
  new Refusal(
    "disk_full",
    `This account may take up ${Math.floor(quota / MIB)} MiB on this server, and this would be more. Nothing was changed. ` +
      "Remove tabs, notes or tasks that are no longer needed, or ask the person who runs the server for more.",
  );
