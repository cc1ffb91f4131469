import { and, asc, eq, gte, lt, lte, max, type SQL, sql } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { direct, named } from "../sqlite/direct-query.ts";
import type { Store } from "../store.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { account, record } from "../schema/records.ts";
import { version } from "../schema/history.ts";
import type { Tx } from "../sqlite/transaction.ts";

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
  let after: Place | undefined = { at: Number.MIN_SAFE_INTEGER, id: 0 };
  while (after) {
    const from: Place = after;
    after = await writer.write((tx) => dropBefore(tx, before, from));
  }
};

const selectOld = prepared((orm) =>
  orm
    .select({
      at: version.at,
      id: version.id,
      accountId: version.accountId,
      table: version.table,
      recordId: version.recordId,
    })
    .from(version)
    .where(
      and(
        sql`(${version.at}, ${version.id}) > (${sql.placeholder("at")}, ${sql.placeholder("id")})`,
        lt(version.at, sql.placeholder("before")),
      ),
    )
    .orderBy(asc(version.at), asc(version.id))
    .limit(DROPPED_AT_ONCE)
    .prepare(),
);

type Old = Pick<typeof version.$inferSelect, "accountId" | "at" | "id" | "recordId" | "table">;
type Place = Pick<Old, "at" | "id">;

/** Drops the next old ones behind `after`. Returns the last of them, undefined where there are no more. */
const dropBefore = ({ orm }: Tx, before: Instant, after: Place): Place | undefined => {
  const old = selectOld(orm).all({ at: after.at, id: after.id, before });
  const byRecord = Map.groupBy(old, ({ accountId, table, recordId }) =>
    JSON.stringify([accountId, table, recordId]),
  );
  for (const rows of byRecord.values()) dropFirst(orm, rows, before);
  return old.length < DROPPED_AT_ONCE ? undefined : old.at(-1);
};

/**
 * Drops a record's versions from its first one on. Never one out of the middle, where a clock was set back:
 * those before it could not be had again.
 */
const dropFirst = (orm: Orm, rows: readonly Old[], before: Instant): void => {
  const [one] = rows;
  if (!one) return;
  const ofRecord = and(
    eq(version.accountId, one.accountId),
    eq(version.table, one.table),
    eq(version.recordId, one.recordId),
  );
  const stays = orm
    .select({ id: version.id })
    .from(version)
    .where(and(ofRecord, gte(version.at, before)))
    .orderBy(asc(version.id))
    .limit(1)
    .get();
  const last = Math.max(...rows.map(({ id }) => id));
  drop(orm, and(ofRecord, lte(version.id, last), lt(version.id, stays?.id ?? last + 1)));
};
