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
import { direct, named } from "../sqlite/direct-query.ts";
import type { Orm } from "../sqlite/orm.ts";
import type { Hits } from "../sqlite/search/query.ts";
import { record } from "../schema/records.ts";
import {
  LIVE_TASK,
  mayList,
  restrictionValues,
  type Reach,
  reachOf,
  tasksWithin,
} from "./reach.ts";

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

/** A page of a list. */
export type FoundPage = {
  /** Each task's row as JSON text. */
  readonly rows: readonly string[];
  /** Where the next page starts; null on the last page. */
  readonly next: TaskPosition | null;
  /** Whether a search looked at the tasks that changed last only, because there are too many. */
  readonly partial: boolean;
};

export type Page = { readonly after: TaskPosition | null; readonly limit: number };

/** A page that somebody asks for. */
export type Asked = {
  readonly accountId: number;
  readonly restriction: Restriction | null;
  readonly filter: TaskFilter;
  readonly page: Page;
};

type Shape = {
  readonly status: "any" | "many" | "one" | "open";
  readonly folder: "any" | "none" | "one";
  /** The names of the filters in `columns`, separated by spaces. */
  readonly columns: string;
  readonly since: boolean;
  /** Whether the index is asked first, for words or an address. */
  readonly search: boolean;
  readonly after: boolean;
  readonly reach: Reach;
};

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
const walkedBy = ({ reach, status, folder, columns }: Shape): "folder" | "open" | null => {
  if (reach === "folders") return "folder";
  if (reach === "inbox" || status !== "any") return null;
  if (folder !== "any") return "folder";
  return columns.includes("due") ? null : "open";
};

const walked = (shape: Shape): SQL | typeof record => {
  const index = walkedBy(shape);
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
    .select(shape.search ? { ...LISTED, tier: TIER.as("tier") } : LISTED)
    .from(shape.search ? FOUND : walked(shape))
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        STATUS[shape.status],
        folder[shape.folder],
        ...columnsMatch(shape.columns),
        shape.since ? gt(record.changedAt, sql.placeholder("since")) : undefined,
        shape.after ? (shape.search ? AFTER_MATCH : AFTER) : undefined,
        tasksWithin(shape.reach),
        shape.search || walkedBy(shape) === null ? undefined : OPEN_OR_CLOSED,
      ),
    )
    .orderBy(...(shape.search ? [TIER] : []), desc(record.changedAt), desc(record.id))
    .limit(sql.placeholder("limit"));
});

export const isSearch = ({ words, url }: TaskFilter): boolean => words !== null || url !== null;

/** Returns one page of the tasks that the index has found. */
export const readFound = (orm: Orm, asked: Asked, hits: Hits): FoundPage => ({
  ...readPage(orm, asked, JSON.stringify(hits.tiers)),
  partial: hits.partial,
});

/** Returns one page of tasks. `hits` is what the index has found, as JSON; null for a list without a search. */
export const readPage = (
  orm: Orm,
  { accountId, restriction, filter, page }: Asked,
  hits: string | null,
): FoundPage => {
  // Without a query: one would take as long as there are tasks in a folder that the caller may not know of.
  if (!mayList(restriction, filter.folderId)) return { rows: [], next: null, partial: false };
  const found = selectTasks(orm, shapeOf(filter, page.after, restriction)).all({
    accountId,
    ...restrictionValues(restriction),
    status: filter.statuses?.[0] ?? "",
    statuses: JSON.stringify(filter.statuses),
    folderId: filter.folderId,
    ...filter.columns,
    since: filter.since,
    hits,
    tier: page.after?.tier ?? 0,
    changedAt: page.after?.changedAt ?? 0,
    id: page.after?.id ?? "",
    // One more than asked for, to see whether there is another page.
    limit: page.limit + 1,
  });
  const shown = found.slice(0, page.limit);
  const last = found.length > page.limit ? shown.at(-1) : undefined;
  return { rows: shown.map(({ row }) => row), next: last ? placeOf(last) : null, partial: false };
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
  since: filter.since !== null,
  search: isSearch(filter),
  after: after !== null,
});

const statusShape = ({ statuses, closed }: TaskFilter): Shape["status"] => {
  if (statuses === null) return closed ? "any" : "open";
  return statuses.length === 1 ? "one" : "many";
};
