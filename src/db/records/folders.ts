import { and, eq, sql } from "drizzle-orm";
import type { Editor } from "../../domain/people/caller.ts";
import type { FolderDraft } from "../../domain/tasks/draft.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { checkRestriction, type Restriction } from "../../domain/people/restriction.ts";
import { newId } from "./ids.ts";
import { foldersWithin, restrictionValues, type Reach, reachOf } from "./reach.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { insertRecord } from "./save.ts";
import { record } from "../schema/records.ts";

const selectFolders = prepared((orm, reach: Reach) =>
  orm
    .select({
      row: record.row,
      // The tasks that GET /tasks?project_id= would list: the open ones. Of one table, Drizzle
      // writes columns without its name, which inside would mean the task's own.
      taskCount: sql<number>`(select count(*) from ${record} as task
        where task.account_id = ${record}.account_id and task.folder_id = ${record}.id
        and task.open = 1)`,
    })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        sql`${record.table} = 'sync_projects' and ${record.live} = 1`,
        foldersWithin(reach),
      ),
    )
    .orderBy(record.createdAt, record.id)
    .prepare(),
);

/** The account's live folders within the restriction as JSON texts, the oldest first. */
export const listFolders = async (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
): Promise<readonly string[]> =>
  selectFolders(store.reader, reachOf(restriction))
    .all({ accountId, ...restrictionValues(restriction) })
    .map(({ row, taskCount }) => withCount(row, taskCount));

/** A folder as forms and commands name it. */
export type NamedFolder = { readonly id: string; readonly name: string };

const selectNames = prepared((orm) =>
  orm
    .select({ id: record.id, name: record.title })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        sql`${record.table} = 'sync_projects' and ${record.live} = 1`,
      ),
    )
    .orderBy(record.createdAt, record.id)
    .prepare(),
);

/** What the account's live folders are called, the oldest first. */
export const nameFolders = async (
  store: Store,
  accountId: number,
): Promise<readonly NamedFolder[]> => selectNames(store.reader).all({ accountId });

/** A new folder, with its row as JSON text. */
export type MadeFolder = { readonly id: string; readonly text: string };

/** Makes a folder. Two may have the same name: the older one is meant by it. */
export const createFolder = (
  store: Store,
  accountId: number,
  { name, colour }: FolderDraft,
  editor: Editor,
  now: Instant,
): Promise<MadeFolder> => {
  checkRestriction(editor.restriction, "create a folder");
  return store.writer.write((tx) => {
    const folder = { accountId, table: "sync_projects" as const, id: newId(now) };
    const content = { payload: { name, colour }, filed: [] };
    const made = insertRecord(tx, folder, content, { loss: "made", by: editor, now });
    return { id: made.id, text: withCount(made.row, 0) };
  });
};

const withCount = (row: string, count: number): string =>
  `${row.slice(0, -1)},"task_count":${count}}`;
