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
import type { Instant } from "../../domain/base/instant.ts";
import type { Restriction } from "../../domain/people/restriction.ts";
import type { Word } from "../../domain/tasks/search.ts";
import {
  type ColumnFilter,
  TASK_FILTERS,
  type TaskFilterName,
  type TaskFilterValues,
} from "../../domain/tasks/task-filters.ts";
import { type MaybePromise, andThen } from "../../domain/base/maybe-promise.ts";
import { highWater } from "./clock.ts";
import { direct, named } from "../sqlite/direct-query.ts";
import { restrictionValues, type Reach, reachOf, tasksFrom, tasksWithin } from "./reach.ts";
import type { Store } from "../store.ts";
import type { Orm } from "../sqlite/orm.ts";
import { record, tabUrl } from "../schema/records.ts";
import { findHits, FOUND, TIER } from "../sqlite/search-query.ts";
import { issueServerTime } from "./server-time.ts";
import { urlHash } from "../sqlite/tab-urls.ts";

/** Which tasks a list shows; null stands for no such filter. Deleted and trashed ones never. */
export type TaskFilter = {
  /** Null: the open ones, and with `closed` the closed ones too. */
  readonly statuses: readonly string[] | null;
  readonly closed: boolean;
  /** A folder's id, or `none` for tasks in no folder. */
  readonly folderId: string | null;
  /** What columns must hold: `TASK_FILTERS`, those that were sent. */
  readonly columns: TaskFilterValues;
  /** Tasks that hold exactly this tab. */
  readonly url: string | null;
  /** Strictly newer than this, on the server's clock. */
  readonly since: Instant | null;
  /** Words that all occur in the title, the tabs' titles and urls, or the notes. */
  readonly words: readonly Word[] | null;
};

/**
 * A place in the list: newest change first, and by id among those of one commit. In a search, how well a
 * task matches comes before that (`tier`, the best is 0).
 */
export type TaskPosition = {
  readonly tier: number;
  readonly changedAt: Instant;
  readonly id: string;
};

export type TaskList = {
  /** Each task's row as JSON text. */
  readonly rows: readonly string[];
  /** Where the next page begins, null on the last one. */
  readonly next: TaskPosition | null;
  readonly serverTime: Instant;
};

type Shape = {
  readonly status: "any" | "many" | "one" | "open";
  readonly folder: "any" | "none" | "one";
  /** The names of the filters in `columns`. */
  readonly columns: string;
  readonly url: boolean;
  readonly since: boolean;
  readonly words: boolean;
  readonly after: boolean;
  readonly reach: Reach;
};

// Literals, not parameters, where a partial index is meant: SQLite cannot see through a parameter.
const STATUS = {
  any: sql`${record.table} = 'sync_tasks' and ${record.live} = 1`,
  open: sql`${record.open} = 1`,
  one: sql`${record.table} = 'sync_tasks' and ${record.live} = 1
    and ${record.status} = ${sql.placeholder("status")}`,
  many: sql`${record.table} = 'sync_tasks' and ${record.live} = 1
    and ${record.status} in (select value from json_each(${sql.placeholder("statuses")}))`,
};

const TESTS: Readonly<Record<ColumnFilter["test"], (column: Column, value: Placeholder) => SQL>> = {
  after: (column, value) => gt(column, value),
  before: (column, value) => lt(column, value),
  equals: (column, value) => eq(column, value),
  has: (column, value) => sql`${value} in (select value from json_each(${column}))`,
};

/** What the filters ask of columns, by their names. Each value's placeholder is called as its filter. */
const columnsMatch = (names: string): readonly SQL[] =>
  names.split(" ").flatMap((name) => {
    const filter = TASK_FILTERS[name as TaskFilterName];
    return filter ? [TESTS[filter.test](record[filter.column], sql.placeholder(name))] : [];
  });

const HOLDS_URL = sql`${record.id} in (select ${tabUrl.taskId} from ${tabUrl}
  where ${tabUrl.accountId} = ${sql.placeholder("accountId")}
  and ${tabUrl.urlHash} = ${sql.placeholder("urlHash")})`;

const AFTER = sql`(${record.changedAt}, ${record.id}) <
  (${sql.placeholder("changedAt")}, ${sql.placeholder("id")})`;

const AFTER_MATCH = sql`(${TIER} > ${sql.placeholder("tier")}
  or (${TIER} = ${sql.placeholder("tier")} and ${AFTER}))`;

/** As few columns as will do: of each, a value is fetched for each row. */
type Listed = {
  readonly row: string;
  readonly changedAt: Instant;
  /** Of a search only. */
  readonly tier?: number;
};

// As `named` has them, since Drizzle selects no columns of a table beside which an index is named.
const LISTED = named({ row: record.row, changedAt: record.changedAt });

const selectTasks = direct<Listed, Shape>((orm, shape) => {
  const folder: Record<Shape["folder"], SQL | undefined> = {
    any: undefined,
    none: isNull(record.folderId),
    one: eq(record.folderId, sql.placeholder("folderId")),
  };
  return orm
    .select(shape.words ? { ...LISTED, tier: TIER.as("tier") } : LISTED)
    .from(shape.words ? FOUND : tasksFrom(shape.reach, shape.status === "open"))
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        STATUS[shape.status],
        folder[shape.folder],
        ...columnsMatch(shape.columns),
        shape.url ? HOLDS_URL : undefined,
        shape.since ? gt(record.changedAt, sql.placeholder("since")) : undefined,
        shape.after ? (shape.words ? AFTER_MATCH : AFTER) : undefined,
        tasksWithin(shape.reach),
      ),
    )
    .orderBy(...(shape.words ? [TIER] : []), desc(record.changedAt), desc(record.id))
    .limit(sql.placeholder("limit"));
});

/**
 * One page of an account's tasks within the restriction: of a search what matches best, else the newest change first.
 * `first` is the server time of the first page, which all later pages repeat: a change made meanwhile moves up
 * and comes with the next `since`.
 */
export const listTasks = (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
  filter: TaskFilter,
  page: Page & { readonly first: Instant | null },
  now: Instant,
): MaybePromise<TaskList> => {
  const hw = highWater(store.reader, accountId);
  const first = page.first ?? issueServerTime(store.clock, store.writer, accountId, hw, now);
  return andThen(first, (serverTime) => ({
    ...readPage(store.reader, accountId, restriction, filter, page),
    serverTime,
  }));
};

type Page = { readonly after: TaskPosition | null; readonly limit: number };

const readPage = (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
  filter: TaskFilter,
  page: Page,
): Omit<TaskList, "serverTime"> => {
  const found = selectTasks(orm, shapeOf(filter, page.after, restriction)).all({
    accountId,
    ...restrictionValues(restriction),
    status: filter.statuses?.[0] ?? "",
    statuses: JSON.stringify(filter.statuses),
    folderId: filter.folderId,
    ...filter.columns,
    urlHash: filter.url === null ? 0 : urlHash(filter.url),
    since: filter.since,
    hits: filter.words && findHits(orm, accountId, filter.words),
    tier: page.after?.tier ?? 0,
    changedAt: page.after?.changedAt ?? 0,
    id: page.after?.id ?? "",
    // One more than asked for, to know whether there is more.
    limit: page.limit + 1,
  });
  const shown = found.slice(0, page.limit);
  const last = found.length > page.limit ? shown.at(-1) : undefined;
  return { rows: shown.map(({ row }) => row), next: last ? placeOf(last) : null };
};

const placeOf = ({ row, changedAt, tier = 0 }: Listed): TaskPosition => {
  const { id } = JSON.parse(row) as { readonly id: string };
  return { tier, changedAt, id };
};

const shapeOf = (
  filter: TaskFilter,
  after: TaskPosition | null,
  restriction: Restriction | null,
): Shape => ({
  reach: reachOf(restriction),
  status: statusShape(filter),
  folder: filter.folderId === null ? "any" : filter.folderId === "none" ? "none" : "one",
  columns: Object.keys(filter.columns).join(" "),
  url: filter.url !== null,
  since: filter.since !== null,
  words: filter.words !== null,
  after: after !== null,
});

const statusShape = ({ statuses, closed }: TaskFilter): Shape["status"] => {
  if (statuses === null) return closed ? "any" : "open";
  return statuses.length === 1 ? "one" : "many";
};
