import { and, eq, sql } from "drizzle-orm";
import type { Editor } from "../../domain/people/caller.ts";
import type { FolderDraft } from "../../domain/tasks/draft.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import { checkRestriction } from "../../domain/people/restriction.ts";
import { newId } from "./ids.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { insertRecord } from "./write.ts";
import type { Transaction } from "../transaction.ts";
import { record } from "../schema/records.ts";

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

/** Returns a folder's row with the number of its open tasks, as JSON text. */
export const withCount = (row: string, count: number): string =>
  `${row.slice(0, -1)},"task_count":${count}}`;
