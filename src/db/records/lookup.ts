import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { type Table, tableOf } from "../../domain/base/record.ts";
import type { Store } from "../store.ts";
import { prepared } from "../query.ts";
import { filedOf, parsedOf, type RecordRow } from "../../domain/records/row.ts";
import { findRecord } from "./find.ts";
import { withClaims } from "./claims.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { findInboxView, findTaskView, LIVE_TASK, type TaskView } from "./reach.ts";
import { record } from "../schema/records.ts";
import type { Restriction } from "../../domain/people/api-key.ts";
import { readChildren } from "../../domain/tasks/children.ts";
import { withFolderName } from "../../domain/tasks/projection.ts";
import { namesOf } from "./named-folders.ts";

// Records as people see them on the pages, including deleted and trashed ones, which the API does not return.

/** Returns a record of the account, or null if it never existed. A tombstone has its `deletedAt`. */
export const readRecord = async (
  store: Store,
  accountId: number,
  table: Table,
  id: string,
): Promise<RecordRow | null> => findRecord(store.reader, accountId, table, id);

const selectTitle = prepared((orm) =>
  orm
    .select({ title: record.title })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
        isNull(record.deletedAt),
      ),
    )
    .prepare(),
);

/** Returns the titles of records, keyed as in the activity list (`task:ID`). Deleted records have none. */
export const readTitles = async (
  store: Store,
  accountId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const titles = new Map<string, string>();
  for (const name of new Set(names)) {
    const at = name.indexOf(":");
    const table = tableOf(name.slice(0, at));
    const id = name.slice(at + 1);
    const found = table && (await selectTitle(store.reader).get({ accountId, table, id }));
    if (found) titles.set(name, found.title);
  }
  return titles;
};

const selectFolderTasks = prepared((orm) =>
  orm
    .select({ id: record.id, title: record.title, status: record.status })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.folderId, sql.placeholder("folderId")),
        LIVE_TASK,
        sql`${record.open} = 1`,
      ),
    )
    .orderBy(desc(record.changedAt), desc(record.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** A task as the folder page lists it. */
export type FolderTask = {
  readonly id: string;
  readonly title: string;
  readonly status: string | null;
};

/** Returns the open tasks of a folder, last changed first. */
export const listFolderTasks = async (
  store: Store,
  accountId: number,
  folderId: string,
  limit: number,
): Promise<readonly FolderTask[]> =>
  selectFolderTasks(store.reader).all({ accountId, folderId, limit });

/**
 * Returns a task. Missing and deleted tasks, other accounts' tasks, and those outside a restriction are all
 * "not found". So are those in the trash, unless `trashed`: keys do not see them.
 */
export const readTaskView = async (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
  id: string,
  trashed = true,
): Promise<TaskView> => {
  const task = await findTaskView(store.reader, accountId, restriction, id, trashed);
  return withNameOfFolder(store, accountId, restriction, task);
};

/** Returns the account's inbox task; null if there is none, or it is not within the restriction. */
export const readInboxView = async (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
): Promise<TaskView | null> => {
  const inbox = await findInboxView(store.reader, accountId, restriction);
  return inbox && withNameOfFolder(store, accountId, restriction, inbox);
};

const withNameOfFolder = async (
  { reader }: Store,
  accountId: number,
  restriction: Restriction | null,
  task: TaskView,
): Promise<TaskView> => {
  const { folderId, row } = task;
  if (folderId === null) return task;
  const name = (await namesOf(reader, accountId, [folderId], restriction)).get(folderId) ?? null;
  return { ...task, row: withFolderName(row, name) };
};

/** Returns a task with who works on it. */
export const withClaimOf = async (
  { reader }: Store,
  accountId: number,
  task: TaskView,
  now: Instant,
): Promise<TaskView> => {
  const [row = task.row] = await withClaims(reader, accountId, [task.row], now);
  return { ...task, row };
};

/** The task's tabs and notes, each with its author; of each list only the first `most`. */
export const taskChildren = (task: TaskView, most?: number) =>
  readChildren(parsedOf(task), filedOf(task), most);

/** The task as JSON text with its tabs and notes: the stored row with both lists added. */
export const wholeTask = (task: TaskView): string => {
  const { tabs, notes } = taskChildren(task);
  return `${task.row.slice(0, -1)},"tabs":${JSON.stringify(tabs)},"notes":${JSON.stringify(notes)}}`;
};
