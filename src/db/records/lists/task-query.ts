import {
  and,
  type Column,
  desc,
  eq,
  gt,
  isNull,
  lt,
  type Placeholder,
  sql,
  type SQL,
} from "drizzle-orm";
import type { Instant } from "../../../domain/base/instant.ts";
import {
  type ColumnFilter,
  TASK_FILTERS,
  type TaskFilterName,
} from "../../../domain/tasks/task-filters.ts";
import { PROPOSED } from "../../../domain/tasks/task.ts";
import { direct, named } from "../../query.ts";
import { record } from "../../schema/records.ts";
import { LIVE_TASK, tasksWithin } from "../reach.ts";
import { isOfDue, type Shape } from "./task-filter.ts";

// `open` is a literal too, for the same reason as those of `LIVE_TASK`.
const STATUS = {
  any: LIVE_TASK,
  open: sql`${LIVE_TASK} and ${record.open} = 1`,
  one: sql`${LIVE_TASK} and ${record.status} = ${sql.placeholder("status")}`,
  many: sql`${LIVE_TASK}
    and ${record.status} in (select value from json_each(${sql.placeholder("statuses")}))`,
};

/**
 * The index that a list walks, newest task first, until it has enough; null if SQLite shall choose. It would choose one
 * with deleted tasks in it, which may be a million. For a key that is kept to folders it would walk all tasks of a status:
 * that takes longer the more of them lie outside the folders, and so would tell the key about them.
 */
const indexOf = (shape: Shape): "folder" | "open" | null => {
  const { reach, status, folder } = shape;
  if (reach === "folders") return "folder";
  if (reach === "inbox" || status === "open" || status === "one") return null;
  // Few tasks that are due are found by another index.
  if (isOfDue(shape) && !shape.window) return null;
  return folder === "any" ? "open" : "folder";
};

const tasksOf = (shape: Shape): SQL | typeof record => {
  const index = indexOf(shape);
  return index === null ? record : sql`${record} indexed by ${sql.raw(`record_${index}`)}`;
};

/** Both indexes have open tasks and closed ones apart. SQLite walks both parts at once. */
const OPEN_OR_CLOSED = sql`${record.open} in (0, 1)`;

const TESTS: Readonly<Record<ColumnFilter["test"], (column: Column, value: Placeholder) => SQL>> = {
  after: (column, value) => gt(column, value),
  before: (column, value) => lt(column, value),
  equals: (column, value) => eq(column, value),
  has: (column, value) => sql`${value} in (select value from json_each(${column}))`,
};

/** The conditions of the named filters. Each value's placeholder has the filter's name. */
const columnsMatch = (names: string): readonly SQL[] =>
  names.split(" ").flatMap((name) => {
    const filter = TASK_FILTERS[name as TaskFilterName];
    return filter ? [TESTS[filter.test](record[filter.column], sql.placeholder(name))] : [];
  });

/** The tasks that the index has found, each with its `tier`. Those of another account are not looked for. */
const FOUND = sql`(
    select hit.value as task_id, tiers.key as tier
    from json_each(${sql.placeholder("hits")}) as tiers cross join json_each(tiers.value) as hit
  ) as found
  cross join ${record} on ${record.accountId} = ${sql.placeholder("accountId")}
    and ${record.table} = 'sync_tasks' and ${record.id} = found.task_id`;

const TIER = sql<number>`found.tier`;

const AFTER = sql`(${record.changedAt}, ${record.id}) <
  (${sql.placeholder("changedAt")}, ${sql.placeholder("id")})`;

const AFTER_MATCH = sql`(${TIER} > ${sql.placeholder("tier")}
  or (${TIER} = ${sql.placeholder("tier")} and ${AFTER}))`;

/** As few columns as possible: every selected column costs a fetch per row. */
export type Listed = {
  readonly row: string;
  readonly folderId: string | null;
  readonly changedAt: Instant;
  /** Set in a search only. */
  readonly tier?: number;
};

// Uses `named` because Drizzle cannot select a table's columns when the query names an index.
const LISTED = named({
  row: record.row,
  folderId: record.folderId,
  changedAt: record.changedAt,
});

const FOLDER: Record<Shape["folder"], SQL | undefined> = {
  any: undefined,
  none: isNull(record.folderId),
  one: eq(record.folderId, sql.placeholder("folderId")),
};

const NOT_PROPOSED = sql`${record.status} is distinct from ${sql.raw(`'${PROPOSED}'`)}`;

const CLAIMED_IDS = sql`(select value from json_each(${sql.placeholder("claimedIds")}))`;

const CLAIMED: Record<Shape["claimed"], SQL | undefined> = {
  any: undefined,
  yes: sql`${record.id} in ${CLAIMED_IDS}`,
  no: sql`${record.id} not in ${CLAIMED_IDS}`,
};

/** What a walk goes along: the tasks of one index, in order, whatever else is asked of them. */
const walked = (shape: Shape): SQL | undefined => {
  const { status, reach } = shape;
  const byStatus = status === "one" && reach === "all";
  return and(
    eq(record.accountId, sql.placeholder("accountId")),
    byStatus ? STATUS.one : status === "open" ? STATUS.open : STATUS.any,
    byStatus ? undefined : FOLDER[shape.folder],
    byStatus || status === "open" ? undefined : OPEN_OR_CLOSED,
    shape.since ? gt(record.changedAt, sql.placeholder("since")) : undefined,
    shape.after ? AFTER : undefined,
    tasksWithin(reach),
  );
};

const NEWEST_FIRST = [desc(record.changedAt), desc(record.id)] as const;

/** The columns that a list or its filters use: all others would be copied for each task of a walk. */
const USED = sql.join(
  [
    record.accountId,
    record.table,
    record.id,
    record.row,
    record.changedAt,
    record.status,
    record.folderId,
    record.live,
    record.open,
    ...Object.values(TASK_FILTERS).map(({ column }) => record[column]),
  ],
  sql`, `,
);

// SQLite never looks further: it does not merge a query that has a limit into the one around it.
const nextTasks = (shape: Shape): SQL => sql`(
    select ${USED} from ${tasksOf(shape)} where ${walked(shape)}
    order by ${NEWEST_FIRST[0]}, ${NEWEST_FIRST[1]} limit ${sql.placeholder("window")}
  ) as ${record}`;

const sourceOf = (shape: Shape): SQL | typeof record => {
  if (shape.search) return FOUND;
  return shape.window ? nextTasks(shape) : tasksOf(shape);
};

/** Where the next tasks of a walk end, `skipped` and one more. Nothing if there are not so many. */
export const selectEnd = direct<Pick<Listed, "changedAt"> & { readonly id: string }, Shape>(
  (orm, shape) =>
    orm
      .select(named({ changedAt: record.changedAt, id: record.id }))
      .from(tasksOf(shape))
      .where(walked(shape))
      .orderBy(...NEWEST_FIRST)
      .limit(1)
      .offset(sql.placeholder("skipped")),
);

export const selectTasks = direct<Listed, Shape>((orm, shape) => {
  return orm
    .select(shape.search ? { ...LISTED, tier: TIER.as("tier") } : LISTED)
    .from(sourceOf(shape))
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        STATUS[shape.status],
        shape.status === "any" && !shape.ids ? NOT_PROPOSED : undefined,
        FOLDER[shape.folder],
        ...columnsMatch(shape.columns),
        shape.since ? gt(record.changedAt, sql.placeholder("since")) : undefined,
        CLAIMED[shape.claimed],
        shape.after ? (shape.search ? AFTER_MATCH : AFTER) : undefined,
        tasksWithin(shape.reach),
        shape.search || indexOf(shape) === null ? undefined : OPEN_OR_CLOSED,
      ),
    )
    .orderBy(...(shape.search ? [TIER] : []), ...NEWEST_FIRST)
    .limit(sql.placeholder("limit"));
});

/** So few tasks that are due are sorted at once. */
export const FEW = 250;

/** How many records are due in a time, counted up to one more than `FEW`. */
export const selectDue = direct<{ readonly due: number }, Shape>((orm, shape) =>
  orm.select({ due: sql<number>`count(*)`.as("due") }).from(
    sql`(select 1 from ${record} where ${and(
      eq(record.accountId, sql.placeholder("accountId")),
      sql`${record.due} is not null`,
      ...columnsMatch(
        shape.columns
          .split(" ")
          .filter((name) => name.startsWith("due"))
          .join(" "),
      ),
    )} limit ${sql.raw(String(FEW + 1))}) as counted`,
  ),
);
