import { type GonePosition } from "../../domain/base/record.ts";
import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { breathe } from "../../domain/base/breathe.ts";
import { TRASH } from "../../domain/tasks/task.ts";
import { record } from "../schema/records.ts";
import { type Orm, prepared } from "../query.ts";

/** Which part of the list: after which position, in it how many, and no deletion that is older. */
type GoneRequest = GonePosition & {
  readonly accountId: number;
  readonly limit: number;
  readonly oldest: Instant;
};

const IN_ACCOUNT = eq(record.accountId, sql.placeholder("accountId"));
const after = (table: SQLWrapper): SQL => sql`(${record.changedAt}, ${table}, ${record.id}) <
  (${sql.placeholder("at")}, ${sql.placeholder("table")}, ${sql.placeholder("id")})`;

const selectDeleted = prepared((orm) =>
  orm
    .select({ at: record.changedAt, table: record.table, id: record.id })
    .from(record)
    .where(
      and(
        IN_ACCOUNT,
        isNotNull(record.deletedAt),
        after(record.table),
        gte(record.changedAt, sql.placeholder("oldest")),
      ),
    )
    .orderBy(desc(record.changedAt), desc(record.table), desc(record.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Only tasks lie in buckets. */
const TASKS = sql<"sync_tasks">`'sync_tasks'`;

const selectInBucket = prepared((orm) =>
  orm
    .select({ at: record.changedAt, table: TASKS, id: record.id })
    .from(record)
    .where(
      and(
        IN_ACCOUNT,
        isNotNull(record.bucketId),
        eq(record.bucketId, sql.placeholder("bucketId")),
        isNull(record.deletedAt),
        // The index has no column for the table, so it cannot be entered by the three together.
        lte(record.changedAt, sql.placeholder("at")),
        after(TASKS),
      ),
    )
    .orderBy(desc(record.changedAt), desc(record.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

const BUCKETS_AT_ONCE = 100;

const selectTrash = prepared((orm) =>
  orm
    .select({ id: record.id })
    .from(record)
    .where(
      and(
        IN_ACCOUNT,
        sql`${record.table} = 'sync_buckets' and ${record.trashed} = 1`,
        gt(record.id, sql.placeholder("after")),
      ),
    )
    .orderBy(asc(record.id))
    .limit(BUCKETS_AT_ONCE)
    .prepare(),
);

/**
 * Returns a part of the list of deleted records and of the tasks in trash buckets, which are listed however old they are.
 */
export const findGone = async (orm: Orm, asked: GoneRequest): Promise<readonly GonePosition[]> => {
  let found: readonly GonePosition[] = await selectDeleted(orm).all(asked);
  const addBucket = async (bucketId: string): Promise<void> => {
    const trashed = await selectInBucket(orm).all({ ...asked, bucketId });
    if (trashed.length > 0)
      found = [...found, ...trashed].toSorted(newestFirst).slice(0, asked.limit);
  };
  // It is one even if there is no record of it.
  await addBucket(TRASH);
  for (let last = ""; ;) {
    const buckets = await selectTrash(orm).all({ accountId: asked.accountId, after: last });
    for (const { id } of buckets) {
      await breathe();
      if (id !== TRASH) await addBucket(id);
      last = id;
    }
    if (buckets.length < BUCKETS_AT_ONCE) return found;
  }
};

const newestFirst = (a: GonePosition, b: GonePosition): number =>
  b.at - a.at || compareBytes(b.table, a.table) || compareBytes(b.id, a.id);

/** As SQLite compares texts. */
const compareBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
