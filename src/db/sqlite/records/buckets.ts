import { and, asc, eq, inArray, isNotNull, isNull, not, sql } from "drizzle-orm";
import { breathe } from "../../../domain/base/breathe.ts";
import { CLOSED_STATUSES } from "../../../domain/tasks/task.ts";
import { record } from "../../schema/records.ts";
import { type Orm, prepared } from "../orm.ts";
import type { Tx } from "../transaction.ts";

/** A bucket may hold all of an account's tasks, and a task 1 MiB, all of which is written again. */
const MOVED_AT_ONCE = 8;
/** More tasks than this are a long write, however small they are: each one changes pages of three indexes. */
const MANY = 500;

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
      live: sql`${live}`,
      open: sql`${live} and ${not(inArray(record.status, CLOSED_STATUSES))}`,
    })
    .where(and(AFTER, sql`${ROWID} <= ${sql.placeholder("upTo")}`))
    .prepare();
});

type Moved = { readonly id: string; readonly trashed: number };

/** Moves the tasks of buckets into the trash or out of it. */
export const moveBuckets = async (
  { orm, expectScattered }: Pick<Tx, "expectScattered" | "orm">,
  accountId: number,
  buckets: readonly Moved[],
): Promise<void> => {
  let tasks = 0;
  const count = (more: number): void => {
    if (tasks <= MANY && tasks + more > MANY)
      expectScattered(() => readUnchanged(orm, accountId, buckets));
    tasks += more;
  };
  let since = 0;
  const keepPages = async (more: number): Promise<void> => {
    since += more;
    if (since < KEPT_EVERY) return;
    since = 0;
    await readChanged(orm, accountId);
  };
  for (const { id: bucketId, trashed } of buckets)
    for (let after = 0; ;) {
      await breathe();
      const asked = { accountId, bucketId, after };
      const found = selectTasks(orm).all(asked);
      const upTo = found.at(-1)?.rowid;
      if (upTo === undefined) break;
      count(found.length);
      updateTasks(orm).run({ ...asked, trashed, upTo });
      after = upTo;
      await keepPages(found.length);
    }
};

/** So many tasks are on at most as many pages: 40 MiB. The rest of the cache has room for the pages of the indexes. */
const KEPT_EVERY = 5_000;

/** The indexes from which tasks go, or into which they come, when their bucket moves. */
const CHANGED = ["record_open", "record_folder", "record_status"];

/** Returns a row for about 1,000 entries of an index that it reads. */
const selectLive = prepared((orm, index: string) =>
  orm.$client.prepare<unknown, [number]>(
    `SELECT rowid FROM record INDEXED BY ${index}
      WHERE account_id = ? AND tbl = 'sync_tasks' AND live = 1 AND rowid % 1000 = 0`,
  ),
);

/**
 * Reads the indexes that a move changes. When the cache is full, SQLite writes the page to the log that was not used for
 * longest. A page of an index may wait long until the next of its tasks is moved, and must not be in the log by then.
 */
const readChanged = async (orm: Orm, accountId: number): Promise<void> => {
  for (const index of CHANGED)
    for (const _row of selectLive(orm, index).iterate(accountId)) await breathe();
};

const READ_AT_ONCE = 1_000;

const selectPosition = prepared((orm) =>
  orm
    .select({ changedAt: record.changedAt, id: record.id })
    .from(record)
    .where(
      and(
        IN_BUCKET,
        isNull(record.deletedAt),
        sql`(${record.changedAt}, ${record.id}) >
          (${sql.placeholder("changedAt")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(asc(record.changedAt), asc(record.id))
    .limit(1)
    .offset(READ_AT_ONCE - 1)
    .prepare(),
);

/** Reads these buckets' part of an index that a move does not change. */
const readUnchanged = async (
  orm: Orm,
  accountId: number,
  buckets: readonly Moved[],
): Promise<void> => {
  for (const { id: bucketId } of buckets)
    for (let position: Position | undefined = { changedAt: 0, id: "" }; position;) {
      await breathe();
      position = selectPosition(orm).get({ accountId, bucketId, ...position });
    }
};

type Position = { readonly changedAt: number; readonly id: string };
