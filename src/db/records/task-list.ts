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

/** Which tasks to list; null means no such filter. Deleted and trashed tasks are never listed. */
export type TaskFilter = {
  /** Null: open tasks, and with `closed` closed ones too. */
  readonly statuses: readonly string[] | null;
  readonly closed: boolean;
  /** A folder's id, or `none` for tasks in no folder. */
  readonly folderId: string | null;
  /** Values to compare columns with, for the `TASK_FILTERS` that were sent. */
  readonly columns: TaskFilterValues;
  /** Tasks that hold a tab with exactly this URL. */
  readonly url: string | null;
  /** Changed strictly after this instant, on the server's clock. */
  readonly since: Instant | null;
  /** Words that must all occur in the title, the notes, or the tabs' titles and URLs. */
  readonly words: readonly Word[] | null;
};

/**
 * A position in the list: newest change first, then by id within one commit. A search sorts first by how well
 * a task matches (`tier`; 0 is best).
 */
export type TaskPosition = {
  readonly tier: number;
  readonly changedAt: Instant;
  readonly id: string;
};

export type TaskList = {
  /** Each task's row as JSON text. */
  readonly rows: readonly string[];
  /** Where the next page starts; null on the last page. */
  readonly next: TaskPosition | null;
  readonly serverTime: Instant;
};

type Shape = {
  readonly status: "any" | "many" | "one" | "open";
  readonly folder: "any" | "none" | "one";
  /** The names of the filters in `columns`, separated by spaces. */
  readonly columns: string;
  readonly url: boolean;
  readonly since: boolean;
  readonly words: boolean;
  readonly after: boolean;
  readonly reach: Reach;
};

// Literals, not parameters: SQLite can only match a partial index against a literal.
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

/** The conditions of the named filters. Each value's placeholder has the filter's name. */
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

/** As few columns as possible: every selected column costs a fetch per row. */
type Listed = {
  readonly row: string;
  readonly changedAt: Instant;
  /** Set in a search only. */
  readonly tier?: number;
};

// Uses `named` because Drizzle cannot select a table's columns when the query names an index.
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
 * Returns one page of the account's tasks within the restriction: best match first in a search, otherwise
 * newest change first. `first` is the server time of the first page, which later pages repeat. A task that
 * changes meanwhile moves to the front and comes with the next `since`.
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
    // One more than asked for, to see whether there is another page.
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
