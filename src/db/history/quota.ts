import { eq } from "drizzle-orm";
import type { Store } from "../store.ts";
import { measureRecords } from "../sqlite/records/put.ts";
import { shareFor } from "../sqlite/history/grow.ts";
import { account } from "../schema/records.ts";

/** What an account takes up, and how much it may, in bytes. */
export type Space = {
  /** Its tasks, folders and buckets. A quota of null is no limit. */
  readonly records: { readonly size: number; readonly quota: number | null };
  /** What people's own versions take up. */
  readonly history: { readonly size: number; readonly share: number };
  /** What counts against the share of all the account's keys. */
  readonly keys: { readonly size: number; readonly share: number };
};

export const readSpace = async (
  { reader, quota, shares }: Store,
  accountId: number,
): Promise<Space> => {
  const { content, whole } = await measureRecords(reader, accountId);
  const row = reader
    .select({ own: account.historySize, keys: account.keysHistorySize })
    .from(account)
    .where(eq(account.id, accountId))
    .get();
  return {
    records: { size: whole, quota },
    history: { size: row?.own ?? 0, share: shareFor(content, shares.people) },
    keys: { size: row?.keys ?? 0, share: shares.keys },
  };
};
