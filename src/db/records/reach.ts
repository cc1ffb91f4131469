import { and, eq, sql, type SQL } from "drizzle-orm";
import { MAX_FOLDERS, reaches, type Restriction } from "../../domain/people/api-key.ts";
import { invalid, taskNotFound } from "../../domain/base/refusal.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import { type Orm, direct, named, prepared } from "../query.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { account, record } from "../schema/records.ts";

/** The form of a query for a caller: unrestricted, or by kind of restriction. */
export type Reach = Restriction["kind"] | "all";

export const reachOf = (restriction: Restriction | null): Reach => restriction?.kind ?? "all";

/** The values of the placeholders in `tasksWithin` and `foldersWithin`. */
export const restrictionValues = (restriction: Restriction | null) => ({
  restrictionFolders: restriction?.kind === "folders" ? JSON.stringify(restriction.folders) : "[]",
});

const FOLDERS = sql`(select value from json_each(${sql.placeholder("restrictionFolders")}))`;

/** The account's inbox task, under the same conditions as `findInbox`. */
const IS_INBOX = sql`${record.table} = 'sync_tasks' and ${record.id} = (select ${account.inboxTaskId} from ${account}
  where ${account.id} = ${sql.placeholder("accountId")})
  and ${record.open} = 1 and ${record.title} = ${sql.raw(`'${INBOX_TITLE}'`)}`;

/** The condition of the indexes of tasks. Literals, not parameters: SQLite can only match a partial index against a literal. */
export const LIVE_TASK = sql`${record.table} = 'sync_tasks' and ${record.live} = 1`;

/** Whether a list of one folder, or of tasks in none, can hold a task that a caller may see. */
export const mayList = (restriction: Restriction | null, folderId: string | null): boolean =>
  folderId === null || restriction?.kind !== "folders" || restriction.folders.includes(folderId);

/**
 * The condition that limits a query to the tasks a caller may see. Use it together with the account's own
 * condition.
 */
export const tasksWithin = (reach: Reach): SQL | undefined => {
  if (reach === "all") return undefined;
  return reach === "inbox" ? IS_INBOX : sql`${record.folderId} in ${FOLDERS}`;
};

/** The same for folders. A key restricted to the inbox sees none. */
export const foldersWithin = (reach: Reach): SQL | undefined => {
  if (reach === "all") return undefined;
  return reach === "inbox" ? sql`1 = 0` : sql`${record.id} in ${FOLDERS}`;
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

/**
 * Refuses a restriction that a new key cannot have: to no folders, to too many, or to folders the account
 * does not have.
 */
export const checkFolders = async (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
): Promise<void> => {
  if (restriction?.kind !== "folders") return;
  const wanted = new Set(restriction.folders).size;
  if (wanted === 0 || wanted > MAX_FOLDERS)
    throw invalid(`A key can be restricted to 1 to ${MAX_FOLDERS} folders.`);
  if (
    (await countFolders(orm).get({ accountId, ...restrictionValues(restriction) }))?.found !==
    wanted
  )
    throw invalid("One of these folders no longer exists. No key was created.");
};

type OneTask = { readonly reach: Reach; readonly trashed: boolean };

const oneTask = ({ reach, trashed }: OneTask): SQL | undefined =>
  and(
    eq(record.accountId, sql.placeholder("accountId")),
    eq(record.table, "sync_tasks"),
    eq(record.id, sql.placeholder("id")),
    trashed ? sql`${record.deletedAt} is null` : sql`${record.live} = 1`,
    tasksWithin(reach),
  );

/** The columns of a task that its readers are shown. */
export type TaskView = Pick<
  RecordRow,
  "changedAt" | "filed" | "folderId" | "payload" | "row" | "updated"
>;

const { changedAt, filed, folderId, payload, row, updated } = record;

const selectTaskView = direct<TaskView, OneTask>((orm, shape) =>
  orm
    .select(named({ changedAt, filed, folderId, payload, row, updated }))
    .from(record)
    .where(oneTask(shape)),
);

/** Returns a task within the restriction, one in the trash only if `trashed`. Refuses any other (404). */
export const findTaskView = async (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
  id: string,
  trashed = true,
): Promise<TaskView> => {
  const shape = { reach: reachOf(restriction), trashed };
  const task = await selectTaskView(orm, shape).get({
    accountId,
    id,
    ...restrictionValues(restriction),
  });
  if (!task) throw taskNotFound();
  return task;
};

const selectInbox = prepared((orm) =>
  orm
    .select({ changedAt, filed, folderId, payload, row, updated })
    .from(record)
    .where(and(eq(record.accountId, sql.placeholder("accountId")), IS_INBOX))
    .prepare(),
);

/** Returns the account's inbox task; null if there is none, or it is not within the restriction. */
export const findInboxView = async (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
): Promise<TaskView | null> => {
  const inbox = (await selectInbox(orm).get({ accountId })) ?? null;
  const isReached = restriction?.kind === "inbox" || reaches(restriction, inbox?.folderId ?? null);
  return isReached ? inbox : null;
};
