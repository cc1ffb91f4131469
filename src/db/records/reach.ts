import { and, eq, sql, type SQL } from "drizzle-orm";
import { type Restriction, MAX_FOLDERS } from "../../domain/people/restriction.ts";
import { invalid, notFound } from "../../domain/base/refusal.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import { direct, named } from "../sqlite/direct-query.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import type { RecordRow } from "../../domain/sync/row.ts";
import { account, record } from "../schema/records.ts";

/** Which form a query takes for a caller: none, or the kind of their restriction. */
export type Reach = Restriction["kind"] | "all";

export const reachOf = (restriction: Restriction | null): Reach => restriction?.kind ?? "all";

/** The values of the placeholders in `tasksWithin` and `foldersWithin`. */
export const restrictionValues = (restriction: Restriction | null) => ({
  restrictionFolders: restriction?.kind === "folders" ? JSON.stringify(restriction.folders) : "[]",
});

const FOLDERS = sql`(select value from json_each(${sql.placeholder("restrictionFolders")}))`;

/** The account's inbox task, as long as it is one (`findInbox`). */
const IS_INBOX = sql`${record.table} = 'sync_tasks' and ${record.id} = (select ${account.inboxTaskId} from ${account}
  where ${account.id} = ${sql.placeholder("accountId")})
  and ${record.open} = 1 and ${record.title} = ${sql.raw(`'${INBOX_TITLE}'`)}`;

/**
 * What a list of tasks, the newest first, is read from: `open` says whether it is of the open ones alone. Of
 * itself SQLite would walk through the open tasks of the whole account, however few of them lie in the
 * folders; by this index it walks through each folder, and leaves it where no newer one can come.
 */
export const tasksFrom = (reach: Reach, open: boolean): SQL | typeof record =>
  reach === "folders" && open ? sql`${record} indexed by record_folder` : record;

/** The condition that keeps a query of tasks to what a caller may see. It stands beside the account's own. */
export const tasksWithin = (reach: Reach): SQL | undefined => {
  if (reach === "all") return undefined;
  return reach === "inbox" ? IS_INBOX : sql`${record.folderId} in ${FOLDERS}`;
};

/** The same for folders: of a key that is kept to the inbox there are none. */
export const foldersWithin = (reach: Reach): SQL | undefined => {
  if (reach === "all") return undefined;
  return reach === "inbox" ? sql`0` : sql`${record.id} in ${FOLDERS}`;
};

const countFolders = prepared((orm) =>
  orm
    .select({ found: sql<number>`count(*)` })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        sql`${record.table} = 'sync_projects' and ${record.live} = 1`,
        foldersWithin("folders"),
      ),
    )
    .prepare(),
);

/** Refuses a restriction that a new key of the account cannot be given. */
export const checkFolders = (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
): void => {
  if (restriction?.kind !== "folders") return;
  const wanted = new Set(restriction.folders).size;
  if (wanted === 0 || wanted > MAX_FOLDERS)
    throw invalid(`A key can be restricted to 1 to ${MAX_FOLDERS} folders.`);
  if (countFolders(orm).get({ accountId, ...restrictionValues(restriction) })?.found !== wanted)
    throw invalid("One of these folders no longer exists. No key was created.");
};

const oneTask = (reach: Reach): SQL | undefined =>
  and(
    eq(record.accountId, sql.placeholder("accountId")),
    eq(record.table, "sync_tasks"),
    eq(record.id, sql.placeholder("id")),
    sql`${record.deletedAt} is null`,
    tasksWithin(reach),
  );

/** What of a task is shown to who reads it. */
export type TaskView = Pick<RecordRow, "filed" | "payload" | "row" | "updated">;

const { filed, payload, row, updated } = record;

const selectTaskView = direct<TaskView, Reach>((orm, reach) =>
  orm.select(named({ filed, payload, row, updated })).from(record).where(oneTask(reach)),
);

/** A task within reach. Missing, deleted, other people's and those beyond a restriction are all not found. */
export const findTaskView = (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
  id: string,
): TaskView =>
  found(
    selectTaskView(orm, reachOf(restriction)).get({
      accountId,
      id,
      ...restrictionValues(restriction),
    }),
  );

const found = <Row>(task: Row | undefined): Row => {
  if (!task) throw notFound("task");
  return task;
};
