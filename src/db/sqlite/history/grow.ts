import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { account } from "../../schema/records.ts";
import { version } from "../../schema/history.ts";
import { direct, named } from "../direct-query.ts";
import { andThen, type MaybePromise } from "../../../domain/base/maybe-promise.ts";
import type { Orm } from "../orm.ts";
import { measureRecords } from "../records/measure.ts";

const addSize = direct((orm) =>
  orm
    .update(account)
    .set({ historySize: sql`${account.historySize} + ${sql.placeholder("size")}` })
    .where(eq(account.id, sql.placeholder("accountId"))),
);

// A separate query instead of RETURNING: see `insertVersion`.
const selectSize = direct<{ readonly size: number }>((orm) =>
  orm
    .select(named({ size: account.historySize }))
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId"))),
);

/** An account's history may always use this many bytes before its oldest versions are deleted for space. */
const MIN_QUOTA = 1024 ** 3;

/**
 * The quota needs a sum over all records, so it is not computed at every write, only each time the history
 * has grown by one of this many parts.
 */
const PARTS = 1024;

/**
 * Adds `size` bytes to the account's history, and deletes its oldest versions if it exceeds its quota.
 * `least` is the smallest quota, in bytes.
 */
export const grow = (
  orm: Orm,
  accountId: number,
  size: number,
  least = MIN_QUOTA,
): MaybePromise<void> => {
  addSize(orm).run({ accountId, size });
  const total = selectSize(orm).get({ accountId })?.size ?? 0;
  const part = least / PARTS;
  if (total <= least - part || Math.floor(total / part) === Math.floor((total - size) / part))
    return undefined;
  return andThen(historyQuota(orm, accountId, least), (quota) => {
    const excess = total - quota + 2 * part;
    // If the quota itself shrank, no single write has to wait until all of the excess is deleted.
    if (excess > part) deleteOldest(orm, accountId, Math.min(excess, size + 4 * part));
  });
};

/** Returns the quota of the account's history in bytes: twice the size of its records, at least 1 GiB. */
export const historyQuota = async (
  orm: Orm,
  accountId: number,
  least = MIN_QUOTA,
): Promise<number> => shareFor((await measureRecords(orm, accountId)).content, least);

/** The history's share beside records of so many bytes. */
export const shareFor = (content: number, least = MIN_QUOTA): number =>
  Math.max(least, 2 * content);

/**
 * The oldest versions of the whole account go first, so that each record's newest versions can still be
 * restored.
 */
const deleteOldest = (orm: Orm, accountId: number, excess: number): void => {
  const oldest = orm
    .select({ id: version.id, size: version.size })
    .from(version)
    .where(eq(version.accountId, accountId))
    .orderBy(asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .all();
  let freed = 0;
  const enough = oldest.findIndex(({ size }) => (freed += size) >= excess);
  const last = oldest[enough] ?? oldest.at(-1);
  if (!last) return;
  dropVersions(orm, and(eq(version.accountId, accountId), lte(version.id, last.id)));
  if (enough === -1) deleteOldest(orm, accountId, excess - freed);
};

/** Versions deleted in one transaction, so that no other write waits long. */
export const DROPPED_AT_ONCE = 1_000;

/** Deletes versions, and subtracts them from the account's total. */
export const dropVersions = (orm: Orm, which: SQL | undefined): void => {
  const deleted = orm
    .delete(version)
    .where(which)
    .returning({ accountId: version.accountId, size: version.size, stamp: version.stamp })
    .all();
  for (const [accountId, those] of Map.groupBy(deleted, (row) => row.accountId)) {
    addSize(orm).run({ accountId, size: -those.reduce((sum, { size }) => sum + size, 0) });
    const since = those.reduce((latest, { stamp }) => Math.max(latest, stamp ?? 0), 0);
    raiseSince(orm).run({ accountId, since });
  }
};

const raiseSince = direct((orm) =>
  orm
    .update(account)
    .set({ historySince: sql`max(${account.historySince}, ${sql.placeholder("since")})` })
    .where(eq(account.id, sql.placeholder("accountId"))),
);
