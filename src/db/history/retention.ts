import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { direct, named } from "../sqlite/direct-query.ts";
import type { Store } from "../store.ts";
import { newestOld } from "../sqlite/days.ts";
import type { Orm } from "../sqlite/orm.ts";
import { account, record } from "../schema/records.ts";
import { version } from "../schema/history.ts";

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

/** In bytes. An account may always keep this much history. */
const LEAST_SHARE = 1024 ** 3;

/** Summing up an account's records is slow, so the quota is checked only each time the history grows by one such part. */
const PARTS = 1024;

/** Counts `size` bytes that were added to the account's history, and drops its oldest versions if it is over its quota. */
export const grow = (orm: Orm, accountId: number, size: number, least = LEAST_SHARE): void => {
  addSize(orm).run({ accountId, size });
  const total = selectSize(orm).get({ accountId })?.size ?? 0;
  const part = least / PARTS;
  if (total <= least - part || Math.floor(total / part) === Math.floor((total - size) / part))
    return;
  const excess = total - historyQuota(orm, accountId, least) + 2 * part;
  // If the quota itself has shrunk, the excess is dropped over many writes, so that none waits for all of it.
  if (excess > part) deleteOldest(orm, accountId, Math.min(excess, size + 4 * part));
};

/** Bytes that the account's history may take: twice what its records take, and at least `least`. */
export const historyQuota = (orm: Orm, accountId: number, least = LEAST_SHARE): number => {
  const live = orm
    .select({ size: sql<number>`coalesce(sum(${record.size}), 0)` })
    .from(record)
    .where(eq(record.accountId, accountId))
    .get();
  return Math.max(least, 2 * (live?.size ?? 0));
};

/** Drops the account's oldest versions, of whichever record, so that each record keeps its newest ones. */
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
  drop(orm, and(eq(version.accountId, accountId), lte(version.id, last.id)));
  if (enough === -1) deleteOldest(orm, accountId, excess - freed);
};

const DROPPED_AT_ONCE = 1_000;

const drop = (orm: Orm, which: SQL | undefined): void => {
  const gone = orm
    .delete(version)
    .where(which)
    .returning({ accountId: version.accountId, size: version.size })
    .all();
  for (const [accountId, those] of Map.groupBy(gone, (row) => row.accountId))
    addSize(orm).run({ accountId, size: -those.reduce((sum, { size }) => sum + size, 0) });
};

/** For how long, at least, you can go back to a version after it lost. */
export const HISTORY_RETENTION = 90 * DAY;

/**
 * Drops the versions that are old (`newestOld`), a thousand at a time, so that no other write waits long. The oldest go
 * first: each version is a difference from the next, so a gap would cut off everything before it.
 */
export const pruneHistory = async ({ reader, writer }: Store, now: Instant): Promise<void> => {
  const last = newestOld(reader, version, now);
  if (last === null) return;
  while (await writer.write(({ orm }) => dropSomeTo(orm, last)));
};

/** Returns whether there may be more. */
const dropSomeTo = (orm: Orm, last: number): boolean => {
  const old = orm
    .select({ id: version.id })
    .from(version)
    .where(lte(version.id, last))
    .orderBy(asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .all();
  drop(orm, lte(version.id, old.at(-1)?.id ?? 0));
  return old.length === DROPPED_AT_ONCE;
};
