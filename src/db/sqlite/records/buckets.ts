import { and, eq, inArray, isNotNull, not, sql } from "drizzle-orm";
import { CLOSED_STATUSES } from "../../../domain/tasks/task.ts";
import { record } from "../../schema/records.ts";
import { type Orm, prepared } from "../orm.ts";

const updateTasks = prepared((orm) => {
  const trashed = sql`${sql.placeholder("trashed")}`;
  const live = sql`${trashed} = 0 and ${record.deletedAt} is null`;
  return orm
    .update(record)
    .set({
      trashed,
      live: sql`${live}`,
      open: sql`${live} and ${not(inArray(record.status, CLOSED_STATUSES))}`,
    })
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        isNotNull(record.bucketId),
        eq(record.bucketId, sql.placeholder("bucketId")),
      ),
    )
    .prepare();
});

/** Moves the tasks of buckets into the trash or out of it. */
export const moveBuckets = (
  orm: Orm,
  accountId: number,
  buckets: readonly { readonly id: string; readonly trashed: number }[],
): void => {
  for (const { id, trashed } of buckets) updateTasks(orm).run({ accountId, bucketId: id, trashed });
};
