import { and, asc, eq, gte, lt, lte, max, sql } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { version } from "../schema/history.ts";
import { DROPPED_AT_ONCE, dropVersions } from "../sqlite/history/grow.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import type { Tx } from "../sqlite/transaction.ts";
import type { Store } from "../store.ts";

/** How long a version is stored after it was replaced or refused. */
export const HISTORY_RETENTION = 90 * DAY;

/**
 * Deletes versions that were replaced more than 90 days before the newest one, in small batches so that other
 * writes do not wait long. Age is counted from the newest version, so a clock that briefly runs ahead does
 * not empty the history.
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

/**
 * Deletes the next batch of old versions after `after`. Returns the position of the last one, or undefined
 * when there are no more.
 */
const dropBefore = ({ orm }: Tx, before: Instant, after: Place): Place | undefined => {
  const old = selectOld(orm).all({ at: after.at, id: after.id, before });
  const byRecord = Map.groupBy(old, ({ accountId, table, recordId }) =>
    JSON.stringify([accountId, table, recordId]),
  );
  for (const rows of byRecord.values()) dropFirst(orm, rows, before);
  return old.length < DROPPED_AT_ONCE ? undefined : old.at(-1);
};

/**
 * Deletes a record's versions from the oldest onwards, and never one from the middle (where the clock was set
 * back): the versions before it could then no longer be reached.
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
  dropVersions(orm, and(ofRecord, lte(version.id, last), lt(version.id, stays?.id ?? last + 1)));
};
