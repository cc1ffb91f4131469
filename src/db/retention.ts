import { and, asc, eq, gte, inArray, lt, max, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DAY, type Instant } from "../instant.ts";
import type { Store } from "./open.ts";
import { type Orm, prepared } from "./orm.ts";
import { account, record } from "./schema.ts";
import { version } from "./schema.history.ts";
import type { Tx } from "./writer.ts";

const addSize = prepared((orm) =>
  orm
    .update(account)
    .set({ historySize: sql`${account.historySize} + ${sql.placeholder("size")}` })
    .where(eq(account.id, sql.placeholder("accountId")))
    .returning({ size: account.historySize })
    .prepare(),
);

/** An account's history takes at least so many bytes before anything of it is dropped for room. */
const LEAST_SHARE = 1024 ** 3;

/** What is kept of the share when versions are dropped, so that this is not done at every write. */
const ROOM = 0.98;

/** Counts what was added to the account's history, and drops its oldest versions where that is too much. */
export const grow = (orm: Orm, accountId: number, size: number): void => {
  const total = addSize(orm).get({ accountId, size })?.size ?? 0;
  if (total <= LEAST_SHARE) return;
  const share = historyShare(orm, accountId);
  if (total > share) dropOldest(orm, accountId, total - share * ROOM);
};

/** Bytes that the account's history may take: twice what its records take, 1 GiB at least. */
export const historyShare = (orm: Orm, accountId: number): number => {
  const live = orm
    .select({ size: sql<number>`coalesce(sum(${record.size}), 0)` })
    .from(record)
    .where(eq(record.accountId, accountId))
    .get();
  return Math.max(LEAST_SHARE, 2 * (live?.size ?? 0));
};

/** Bytes that the account's history takes now, and how many it may. */
export const readHistoryUse = async (
  { reader }: Store,
  accountId: number,
): Promise<{ readonly size: number; readonly share: number }> => {
  const row = reader
    .select({ size: account.historySize })
    .from(account)
    .where(eq(account.id, accountId))
    .get();
  return { size: row?.size ?? 0, share: historyShare(reader, accountId) };
};

/** The oldest of all go first: each record's newest versions are those that can be gone back to. */
const dropOldest = (orm: Orm, accountId: number, excess: number): void => {
  const oldest = orm
    .select({ id: version.id, size: version.size })
    .from(version)
    .where(eq(version.accountId, accountId))
    .orderBy(asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .all();
  let freed = 0;
  const last = oldest.findIndex(({ size }) => (freed += size) >= excess);
  drop(orm, last === -1 ? oldest : oldest.slice(0, last + 1));
};

const DROPPED_AT_ONCE = 1_000;

const drop = (orm: Orm, rows: readonly { readonly id: number }[]): void => {
  const ids = rows.map(({ id }) => id);
  const gone = orm
    .delete(version)
    .where(inArray(version.id, ids))
    .returning({ accountId: version.accountId, size: version.size })
    .all();
  for (const [accountId, those] of Map.groupBy(gone, (row) => row.accountId))
    addSize(orm).get({ accountId, size: -those.reduce((sum, { size }) => sum + size, 0) });
};

/** How long a version is kept after it lost. */
export const HISTORY_RETENTION = 90 * DAY;

/**
 * Drops what lost 90 days before the newest, some at a time, so that no other write waits long. A clock
 * that was set ahead for a moment empties nothing.
 */
export const pruneHistory = async ({ reader, writer }: Store, now: Instant): Promise<void> => {
  const newest =
    reader
      .select({ at: max(version.at) })
      .from(version)
      .get()?.at ?? 0;
  const before = Math.min(now, newest) - HISTORY_RETENTION;
  while ((await writer.write((tx) => dropBefore(tx, before))) === DROPPED_AT_ONCE);
};

const earlier = alias(version, "earlier");

/** Never one out of the middle, where a clock was set back: those before it could not be had again. */
const dropBefore = ({ orm }: Tx, before: Instant): number => {
  const kept = orm
    .select({ id: earlier.id })
    .from(earlier)
    .where(
      and(
        eq(earlier.accountId, version.accountId),
        eq(earlier.table, version.table),
        eq(earlier.recordId, version.recordId),
        lt(earlier.id, version.id),
        gte(earlier.at, before),
      ),
    );
  const old = orm
    .select({ id: version.id })
    .from(version)
    .where(and(lt(version.at, before), notExists(kept)))
    .orderBy(asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .all();
  drop(orm, old);
  return old.length;
};
