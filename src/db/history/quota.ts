import { eq } from "drizzle-orm";
import type { Store } from "../store.ts";
import { recordsSize } from "../sqlite/records/quota.ts";
import { historyQuota } from "../sqlite/history/grow.ts";
import { account } from "../schema/records.ts";

/** Returns how many bytes the account's records take up, and how many they may (null: no limit). */
export const readRecordsQuota = async (
  { reader, quota }: Store,
  accountId: number,
): Promise<{ readonly size: number; readonly quota: number | null }> => ({
  size: recordsSize(reader, accountId),
  quota,
});

/** Returns the size of the account's history and its quota, both in bytes. */
export const readHistoryQuota = async (
  { reader }: Store,
  accountId: number,
): Promise<{ readonly size: number; readonly share: number }> => {
  const row = reader
    .select({ size: account.historySize })
    .from(account)
    .where(eq(account.id, accountId))
    .get();
  return { size: row?.size ?? 0, share: historyQuota(reader, accountId) };
};
