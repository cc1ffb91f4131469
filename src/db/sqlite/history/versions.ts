import { markOf } from "../../../domain/base/rev.ts";
import { readEpoch } from "../../records/clock.ts";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { RecordKey } from "../../../domain/base/record.ts";
import type { Restore } from "../../../domain/sync/proof.ts";
import type { Kept } from "../../transaction.ts";
import type { VersionRow } from "../../../domain/history/version.ts";
import type { Instant } from "../../../domain/base/instant.ts";
import { version } from "../../schema/history.ts";
import { account } from "../../schema/records.ts";
import { direct, named } from "../direct-query.ts";
import { type Orm, prepared } from "../orm.ts";

/** A version is up to 1 MiB, so only this many are in memory, and are read in one go. */
const READ_AT_ONCE = 4;

const selectVersions = prepared((orm) =>
  orm
    .select()
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.table, sql.placeholder("table")),
        eq(version.recordId, sql.placeholder("id")),
        lt(version.id, sql.placeholder("before")),
      ),
    )
    .orderBy(desc(version.id))
    .limit(READ_AT_ONCE)
    .prepare(),
);

/** Returns the next versions of a record before one, newest first; empty when there are no more. */
export const versionsBefore = (
  orm: Orm,
  accountId: number,
  { table, id }: RecordKey,
  before: number,
): readonly VersionRow[] => selectVersions(orm).all({ accountId, table, id, before });

const selectVersion = prepared((orm) =>
  orm
    .select()
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

/** Returns a version of the account by its number, or null. */
export const findVersion = (orm: Orm, accountId: number, id: number): VersionRow | null =>
  selectVersion(orm).get({ accountId, id }) ?? null;

const selectRefused = direct<{ readonly id: number }>((orm) =>
  orm
    .select(named({ id: version.id }))
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.table, sql.placeholder("table")),
        eq(version.recordId, sql.placeholder("id")),
        eq(version.digest, sql.placeholder("digest")),
        // A literal, so that SQLite can use the partial index.
        sql`digest is not null`,
      ),
    ),
);

/** Whether a refused version with this digest is stored for the record. */
export const wasRefused = (
  orm: Orm,
  accountId: number,
  { table, id }: RecordKey,
  digest: string,
): boolean => selectRefused(orm).get({ accountId, table, id, digest }) !== undefined;

const selectKept = direct<{ readonly since: Instant; readonly restored: string | null }>((orm) =>
  orm
    .select(named({ since: account.historySince, restored: account.restores }))
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId"))),
);

/** Returns which of the account's versions are sure to be stored: see `History.kept`. */
export const keptHistory = (orm: Orm, accountId: number): Kept => {
  const { since, restored } = selectKept(orm).get({ accountId }) ?? { since: 0, restored: null };
  const restores = restored === null ? [] : (JSON.parse(restored) as readonly Restore[]);
  return { since, restored: restores, mark: markOf(readEpoch(orm)) };
};
