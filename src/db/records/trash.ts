import { and, eq, inArray, isNotNull, not, sql } from "drizzle-orm";
import { isTrashBucket } from "../../domain/tasks/bucket.ts";
import { CLOSED_STATUSES } from "../../domain/tasks/task.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { record } from "../schema/records.ts";

/** Tells, within one transaction, which of an account's buckets are trash buckets. */
export type TrashFinder = {
  readonly holds: (bucketId: string) => boolean;
  readonly forget: (bucketId: string) => void;
};

const selectBucket = prepared((orm) =>
  orm
    .select({ trashed: record.trashed, deletedAt: record.deletedAt })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, "sync_buckets"),
        eq(record.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

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

export const trashFinder = (orm: Orm, accountId: number): TrashFinder => {
  const known = new Map<string, boolean>();
  const find = (id: string): boolean => {
    const bucket = selectBucket(orm).get({ accountId, id });
    return bucket ? bucket.trashed === 1 : isTrashBucket(id, null);
  };
  return {
    holds: (id) => {
      const answer = known.get(id) ?? find(id);
      known.set(id, answer);
      return answer;
    },
    forget: (id) => known.delete(id),
  };
};

/** Whether the account has a live bucket of this id. */
export const hasBucket = (orm: Orm, accountId: number, id: string): boolean =>
  selectBucket(orm).get({ accountId, id })?.deletedAt === null;

/** A bucket that becomes a trash bucket, or stops being one, takes its tasks with it. */
export const retrash = (
  orm: Orm,
  bucket: { readonly accountId: number; readonly id: string; readonly trashed: number },
  before: { readonly trashed: number } | null,
  trash: TrashFinder,
): void => {
  trash.forget(bucket.id);
  if (bucket.trashed === (before?.trashed ?? Number(isTrashBucket(bucket.id, null)))) return;
  updateTasks(orm).run({
    accountId: bucket.accountId,
    bucketId: bucket.id,
    trashed: bucket.trashed,
  });
};
