import { and, eq, sql } from "drizzle-orm";
import type { Editor } from "../../domain/people/caller.ts";
import type { FolderDraft } from "../../domain/tasks/draft.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import { checkRestriction, type Restriction } from "../../domain/people/restriction.ts";
import { newId } from "./ids.ts";
import { foldersWithin, restrictionValues, type Reach, reachOf } from "./reach.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { insertRecord } from "./write.ts";
import type { Transaction } from "../transaction.ts";
import { record } from "../schema/records.ts";

const selectFolders = prepared((orm, reach: Reach) =>
  orm
    .select({
      row: record.row,
      // Counts the tasks that `GET /tasks?project_id=` would list: the open ones. The alias is needed because
      // Drizzle omits the table name in a query of one table, so the inner columns would be ambiguous.
      // `tbl` and `live` as literals, so that SQLite uses the partial index of folders.
      taskCount: sql<number>`(select count(*) from ${record} as task
        where task.account_id = ${record}.account_id and task.folder_id = ${record}.id
        and task.tbl = 'sync_tasks' and task.live = 1 and task.open = 1)`,
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

/** Returns the account's live folders within the restriction as JSON texts, oldest first. */
export const listFolders = async (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
): Promise<readonly string[]> =>
  selectFolders(store.reader, reachOf(restriction))
    .all({ accountId, ...restrictionValues(restriction) })
    .map(({ row, taskCount }) => withCount(row, taskCount));

/** A folder as forms and commands show it. */
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

/** Returns the ids and names of the account's live folders, oldest first. */
export const nameFolders = async (
  store: Store,
  accountId: number,
): Promise<readonly NamedFolder[]> => selectNames(store.reader).all({ accountId });

/** A new folder, with its row as JSON text. */
export type MadeFolder = { readonly id: string; readonly text: string };

/** Creates a folder. Names need not be unique: a lookup by name finds the oldest. */
export const createFolder = (
  tx: Transaction,
  { name, colour }: FolderDraft,
  editor: Editor,
): MaybePromise<MadeFolder> => {
  checkRestriction(editor.restriction, "create a folder");
  const key = { table: "sync_projects", id: newId(tx.now) } as const;
  const content = { payload: { name, colour }, filed: [] };
  return andThen(insertRecord(tx, key, content, { loss: "made", by: editor }), ({ id, row }) => ({
    id,
    text: withCount(row, 0),
  }));
};

const withCount = (row: string, count: number): string =>
  `${row.slice(0, -1)},"task_count":${count}}`;
