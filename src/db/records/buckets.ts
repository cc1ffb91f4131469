import { and, asc, eq, inArray, isNotNull, not, sql, type SQL } from "drizzle-orm";
import { breathe } from "../../domain/base/breathe.ts";
import { UNLISTED_STATUSES } from "../../domain/tasks/task.ts";
import { record } from "../schema/records.ts";
import { type Orm, prepared } from "../query.ts";

/** A bucket may hold all of an account's tasks, and a task 1 MiB, all of which is written again. */
const MOVED_AT_ONCE = 8;

const ROWID = sql<number>`rowid`;
const IN_BUCKET = and(
  eq(record.accountId, sql.placeholder("accountId")),
  isNotNull(record.bucketId),
  eq(record.bucketId, sql.placeholder("bucketId")),
);
// The index of a bucket's tasks has them in the order of their rowids.
const AFTER = and(IN_BUCKET, sql`${ROWID} > ${sql.placeholder("after")}`);

const selectTasks = prepared((orm) =>
  orm
    .select({ rowid: ROWID })
    .from(record)
    .where(AFTER)
    .orderBy(asc(ROWID))
    .limit(MOVED_AT_ONCE)
    .prepare(),
);

const updateTasks = prepared((orm) => {
  const trashed = sql`${sql.placeholder("trashed")}`;
  const live = sql`${trashed} = 0 and ${record.deletedAt} is null`;
  return orm
    .update(record)
    .set({
      trashed,
      live: flag(live),
      open: flag(sql`${live} and ${not(inArray(record.status, UNLISTED_STATUSES))}`),
    })
    .where(and(AFTER, sql`${ROWID} <= ${sql.placeholder("upTo")}`))
    .prepare();
});

const flag = (condition: SQL): SQL => sql`case when ${condition} then 1 else 0 end`;

type Moved = { readonly id: string; readonly trashed: number };

/** Moves the tasks of buckets into the trash or out of it. */
export const moveBuckets = async (
  orm: Orm,
  accountId: number,
  buckets: readonly Moved[],
): Promise<void> => {
  for (const { id: bucketId, trashed } of buckets)
    for (let after = 0; ;) {
      await breathe();
      const asked = { accountId, bucketId, after };
      const upTo = (await selectTasks(orm).all(asked)).at(-1)?.rowid;
      if (upTo === undefined) break;
      await updateTasks(orm).run({ ...asked, trashed, upTo });
      after = upTo;
    }
};
