import { and, countDistinct, eq, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import { version } from "../schema/history.ts";

/** Returns how many of the account's tasks and folders the undo at that instant changed. */
export const countUndone = async (
  { reader }: Store,
  accountId: number,
  at: Instant,
): Promise<number> =>
  (
    await reader
      .select({ records: countDistinct(sql`${version.table} || ' ' || ${version.recordId}`) })
      .from(version)
      .where(and(eq(version.at, at), eq(version.accountId, accountId), eq(version.loss, "undone")))
      .get()
  )?.records ?? 0;
