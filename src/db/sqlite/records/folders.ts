import { and, eq, sql } from "drizzle-orm";
import type { Restriction } from "../../../domain/people/restriction.ts";
import { record } from "../../schema/records.ts";
import { type Orm, prepared } from "../orm.ts";
import { foldersWithin, restrictionValues, type Reach, reachOf } from "../../records/reach.ts";

const LIVE_FOLDER = sql`${record.table} = 'sync_projects' and ${record.live} = 1`;

const selectFolder = prepared((orm, { by, reach }: { by: "id" | "title"; reach: Reach }) =>
  orm
    .select({ id: record.id })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record[by], sql.placeholder("text")),
        LIVE_FOLDER,
        foldersWithin(reach),
      ),
    )
    .orderBy(record.createdAt, record.id)
    .limit(1)
    .prepare(),
);

export const findFolder = (
  orm: Orm,
  accountId: number,
  by: "id" | "title",
  text: string,
  restriction: Restriction | null,
): string | null => {
  const select = selectFolder(orm, { by, reach: reachOf(restriction) });
  return select.get({ accountId, text, ...restrictionValues(restriction) })?.id ?? null;
};

const selectInside = prepared((orm) =>
  orm
    .select({ id: record.id })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.folderId, sql.placeholder("id")),
        sql`${record.table} = 'sync_tasks' and ${record.deletedAt} is null`,
      ),
    )
    .prepare(),
);

/** Returns the ids of the folder's tasks that are not deleted. */
export const tasksInFolder = (orm: Orm, accountId: number, id: string): readonly string[] =>
  selectInside(orm)
    .all({ accountId, id })
    .map((task) => task.id);
