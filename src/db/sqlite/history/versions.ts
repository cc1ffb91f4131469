import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { RecordKey } from "../../../domain/base/record.ts";
import type { VersionRow } from "../../../domain/history/version.ts";
import { version } from "../../schema/history.ts";
import { type Orm, prepared } from "../orm.ts";

/** A version is up to 1 MiB, so only this many are in memory at a time. */
const READ_AT_ONCE = 20;

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
