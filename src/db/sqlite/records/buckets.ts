import { and, asc, eq, inArray, isNotNull, not, sql } from "drizzle-orm";
import type { MaybePromise } from "../../../domain/base/maybe-promise.ts";
import { inTurnInSlices, repeatInSlices } from "../../../domain/base/slices.ts";
import { CLOSED_STATUSES } from "../../../domain/tasks/task.ts";
import { record } from "../../schema/records.ts";
import { LARGEST_CACHE } from "../long-write.ts";
import { type Orm, prepared } from "../orm.ts";
import type { Tx } from "../transaction.ts";

/** A bucket may hold all of an account's tasks, and a task 1 MiB, all of which is written again. */
const MOVED_AT_ONCE = 8;
/** More tasks than this are a long write, however small they are: each one changes pages of three indexes. */
const MANY = 500;

const ROWID = sql<number>`rowid`;
// The index of a bucket's tasks has them in the order of their rowids.
const IN_BUCKET = and(
  eq(record.accountId, sql.placeholder("accountId")),
  isNotNull(record.bucketId),
  eq(record.bucketId, sql.placeholder("bucketId")),
  sql`${ROWID} > ${sql.placeholder("after")}`,
);

/** `length` counts characters, so it reads the whole payload. */
const selectTasks = prepared((orm, what: "payload" | "rowid") =>
  orm
    .select({
      rowid: ROWID,
      length: what === "payload" ? sql<number>`length(${record.payload})` : sql<number>`0`,
    })
    .from(record)
    .where(IN_BUCKET)
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
      live: sql`${live}`,
      open: sql`${live} and ${not(inArray(record.status, CLOSED_STATUSES))}`,
    })
    .where(and(IN_BUCKET, sql`${ROWID} <= ${sql.placeholder("upTo")}`))
    .prepare();
});

type Moved = { readonly id: string; readonly trashed: number };

/** Moves the tasks of buckets into the trash or out of it, in slices. */
export const moveBuckets = (
  { orm, expect }: Pick<Tx, "expect" | "orm">,
  accountId: number,
  buckets: readonly Moved[],
): MaybePromise<void> => {
  let tasks = 0;
  const count = (more: number): void => {
    if (tasks <= MANY && tasks + more > MANY)
      expect(LARGEST_CACHE, () => readTasks(orm, accountId, buckets));
    tasks += more;
  };
  return inTurnInSlices(buckets, ({ id, trashed }) =>
    eachTask(accountId, id, (asked) => {
      const found = selectTasks(orm, "rowid").all(asked);
      const upTo = found.at(-1)?.rowid;
      if (upTo === undefined) return null;
      count(found.length);
      updateTasks(orm).run({ ...asked, trashed, upTo });
      return upTo;
    }),
  );
};

/** Reads tasks of these buckets, of which there are enough if they would fill the largest cache. */
const readTasks = (orm: Orm, accountId: number, buckets: readonly Moved[]): MaybePromise<void> => {
  let bytes = 0;
  return inTurnInSlices(buckets, ({ id }) =>
    eachTask(accountId, id, (asked) => {
      if (bytes >= LARGEST_CACHE) return null;
      const found = selectTasks(orm, "payload").all(asked);
      bytes += found.reduce((sum, { length }) => sum + length, 0);
      return found.at(-1)?.rowid ?? null;
    }),
  );
};

type Asked = { readonly accountId: number; readonly bucketId: string; readonly after: number };

/** Steps along a bucket's tasks in slices. `step` returns the rowid up to which it went, null at the end. */
const eachTask = (
  accountId: number,
  bucketId: string,
  step: (asked: Asked) => number | null,
): MaybePromise<void> => {
  let after: number | null = 0;
  return repeatInSlices(() => {
    after = step({ accountId, bucketId, after: after ?? 0 });
    return after !== null;
  });
};
