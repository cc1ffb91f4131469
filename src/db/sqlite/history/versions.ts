import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { RecordKey } from "../../../domain/base/record.ts";
import type { VersionRow } from "../../../domain/history/version.ts";
import { version } from "../../schema/history.ts";
import { type Orm, prepared } from "../orm.ts";

/** Versions of up to 1 MiB each: no more are held at a time. */
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

/** The next versions of a record before one, the newest first; none where there are no more. */
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

/** A version of the account's by its number. */
export const findVersion = (orm: Orm, accountId: number, id: number): VersionRow | null =>
  selectVersion(orm).get({ accountId, id }) ?? null;
