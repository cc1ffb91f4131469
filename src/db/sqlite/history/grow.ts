import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { account, record } from "../../schema/records.ts";
import { version } from "../../schema/history.ts";
import { direct, named } from "../direct-query.ts";
import type { Orm } from "../orm.ts";

const addSize = direct((orm) =>
  orm
    .update(account)
    .set({ historySize: sql`${account.historySize} + ${sql.placeholder("size")}` })
    .where(eq(account.id, sql.placeholder("accountId"))),
);

// A query of its own, and not RETURNING: see `insertVersion`.
const selectSize = direct<{ readonly size: number }>((orm) =>
  orm
    .select(named({ size: account.historySize }))
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId"))),
);

/** An account's history takes at least so many bytes before anything of it is dropped for room. */
const LEAST_SHARE = 1024 ** 3;

/** The share is summed up over all records, so that is not done at every write, but at each of so many parts. */
const PARTS = 1024;

/**
 * Counts `size` bytes that were added to the account's history, and drops its oldest versions where that is
 * too much. `least` is the least share.
 */
export const grow = (orm: Orm, accountId: number, size: number, least = LEAST_SHARE): void => {
  addSize(orm).run({ accountId, size });
  const total = selectSize(orm).get({ accountId })?.size ?? 0;
  const part = least / PARTS;
  if (total <= least - part || Math.floor(total / part) === Math.floor((total - size) / part))
    return;
  const excess = total - historyQuota(orm, accountId, least) + 2 * part;
  // Where the share itself became smaller, no one write is made to wait for all of it.
  if (excess > part) deleteOldest(orm, accountId, Math.min(excess, size + 4 * part));
};

/** Bytes that the account's history may take: twice what its records take, 1 GiB at least. */
export const historyQuota = (orm: Orm, accountId: number, least = LEAST_SHARE): number => {
  const live = orm
    .select({ size: sql<number>`coalesce(sum(${record.size}), 0)` })
    .from(record)
    .where(eq(record.accountId, accountId))
    .get();
  return Math.max(least, 2 * (live?.size ?? 0));
};

/** The oldest of all go first: each record's newest versions are those that can be gone back to. */
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

/** Versions that one transaction drops, so that no other write waits long. */
export const DROPPED_AT_ONCE = 1_000;

/** Drops versions, and counts them as the account's no more. */
export const dropVersions = (orm: Orm, which: SQL | undefined): void => {
  const gone = orm
    .delete(version)
    .where(which)
    .returning({ accountId: version.accountId, size: version.size })
    .all();
  for (const [accountId, those] of Map.groupBy(gone, (row) => row.accountId))
    addSize(orm).run({ accountId, size: -those.reduce((sum, { size }) => sum + size, 0) });
};
