import { and, asc, count, eq, inArray, isNotNull, not, sql } from "drizzle-orm";
import { andThen, type MaybePromise } from "../../../domain/base/maybe-promise.ts";
import type { RecordKey } from "../../../domain/base/record.ts";
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

const selectRowid = prepared((orm) =>
  orm
    .select({ rowid: ROWID })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

/** Of each record it reads no more than the page on which it begins. */
const touchRecords = prepared((orm) =>
  orm
    .select({ count: count(record.table) })
    .from(record)
    .where(sql`${ROWID} IN (SELECT value FROM json_each(${sql.placeholder("rowids")}))`)
    .prepare(),
);

type Moved = { readonly id: string; readonly trashed: number };

/**
 * Moves the tasks of buckets into the trash or out of it, in slices. `written` are the records that the same call
 * writes before or after that. All is done so that a page changes again soon or not at all (long-write.ts).
 */
export const moveBuckets = (
  { orm, expect }: Pick<Tx, "expect" | "orm">,
  accountId: number,
  buckets: readonly Moved[],
  written: readonly RecordKey[],
): MaybePromise<void> => {
  const found = written.flatMap((key) => selectRowid(orm).all({ accountId, ...key }));
  const rowids = JSON.stringify(found.map(({ rowid }) => rowid));
  let [tasks, touched] = [0, 0];
  return inOrder(orm, accountId, buckets, (part, more) => {
    tasks += more;
    if (tasks > MANY && touched === 0)
      expect(LARGEST_CACHE, () => readTasks(orm, accountId, buckets));
    if (tasks - touched > MANY) {
      touched = tasks;
      // They may share pages with tasks that come last. Read now and then, these pages stay in the cache.
      touchRecords(orm).get({ rowids });
    }
    updateTasks(orm).run(part);
  });
};

/** A part of a bucket's tasks, by their rowids. */
type Part = {
  readonly accountId: number;
  readonly bucketId: string;
  readonly trashed: number;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly upTo: number;
};

/**
 * Steps along the tasks of several buckets together, nearly in the order of their rowids: a page may hold tasks of each of
 * them. `step` gets a part, and how many tasks are in it.
 */
const inOrder = (
  orm: Orm,
  accountId: number,
  buckets: readonly Moved[],
  step: (part: Part, tasks: number) => void,
): MaybePromise<void> => {
  const read = (bucketId: string, after: number): readonly number[] =>
    selectTasks(orm, "rowid")
      .all({ accountId, bucketId, after })
      .map(({ rowid }) => rowid);
  let walks = buckets.map((bucket) => ({ ...bucket, next: read(bucket.id, 0) }));
  return repeatInSlices(() => {
    walks = walks.filter(({ next }) => next.length > 0);
    const upTo = Math.min(...walks.map(({ next }) => next.at(-1) ?? 0));
    return andThen(
      inTurnInSlices(walks, (walk) => {
        const now = walk.next.filter((rowid) => rowid <= upTo);
        const [first, last] = [now[0], now.at(-1)];
        if (first === undefined || last === undefined) return;
        const { id: bucketId, trashed } = walk;
        step({ accountId, bucketId, trashed, after: first - 1, upTo: last }, now.length);
        walk.next = walk.next.slice(now.length);
        if (walk.next.length === 0) walk.next = read(bucketId, last);
      }),
      () => walks.length > 0,
    );
  });
};

/** Reads tasks of these buckets, of which there are enough if they would fill the largest cache. */
const readTasks = (orm: Orm, accountId: number, buckets: readonly Moved[]): MaybePromise<void> => {
  let bytes = 0;
  return inTurnInSlices(buckets, ({ id: bucketId }) => {
    let after: number | null = 0;
    return repeatInSlices(() => {
      if (bytes >= LARGEST_CACHE) return false;
      const found = selectTasks(orm, "payload").all({ accountId, bucketId, after });
      bytes += found.reduce((sum, { length }) => sum + length, 0);
      after = found.at(-1)?.rowid ?? null;
      return after !== null;
    });
  });
};
