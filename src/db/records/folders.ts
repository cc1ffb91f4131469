import { and, eq, sql } from "drizzle-orm";
import { type Editor, mayRead } from "../../domain/people/account.ts";
import type { FolderDraft } from "../../domain/tasks/content.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { checkRestriction, type Restriction } from "../../domain/people/api-key.ts";
import { Refusal, invalid } from "../../domain/base/refusal.ts";
import { isSeen } from "../../domain/base/text.ts";
import {
  foldersNamed,
  folderNamed,
  type NamedFolder,
  type SentAs,
} from "../../domain/tasks/folder.ts";
import { insertRecord, newId } from "./write.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { withFolderName } from "../../domain/tasks/projection.ts";
import type { Store } from "../store.ts";
import { prepared } from "../query.ts";
import { hasFolder, readNames } from "./named-folders.ts";
import { withClaim } from "../../domain/tasks/claim.ts";
import type { Transaction } from "../transaction.ts";
import { record } from "../schema/records.ts";

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

/**
 * Returns the id of the live folder within the restriction that has this id, or else this exact name. Refuses a text that
 * means none, or two (422).
 */
export const findFolder = async (
  { reader }: Pick<Store, "reader">,
  accountId: number,
  restriction: Restriction | null,
  text: string,
  sentAs: SentAs,
): Promise<string> => {
  if (await hasFolder(reader, accountId, text, restriction)) return text;
  const folders = await readNames(reader, accountId, restriction);
  return folderNamed(folders, text, sentAs, true);
};

/** Returns a task that is to be shown to its editor: with the name of its folder, if the editor may read it. */
export const showing = async (
  tx: Transaction,
  task: RecordRow,
  editor: Editor,
): Promise<RecordRow> => {
  const { id, folderId, row } = task;
  const isNamed = folderId !== null && mayRead(editor);
  const name = await (isNamed ? tx.folders.name(folderId, editor.restriction) : null);
  return { ...task, row: withClaim(withFolderName(row, name), await tx.claims.of(id)) };
};

/** A new folder, with its row as JSON text, and the stamp of the transaction that stored it. */
export type MadeFolder = {
  readonly id: string;
  readonly text: string;
  readonly stamp: Instant;
};

/** Creates a folder. Refuses a name that shows nothing, and to a key one that a live folder has. */
export const createFolder = async (
  tx: Transaction,
  { name, colour }: FolderDraft,
  editor: Editor,
): Promise<MadeFolder> => {
  if (!isSeen(name)) throw invalid("name must be a text that can be seen.");
  checkRestriction(editor.restriction, "create a folder");
  const folders = await (editor.kind === "api_key" ? tx.folders.names(null) : []);
  refuseSecond(foldersNamed(folders, name));
  const key = { table: "sync_projects", id: newId(tx.now) } as const;
  const content = { payload: { name, colour }, filed: [] };
  const { id, row, changedAt } = await insertRecord(tx, key, content, { loss: "made", by: editor });
  return {
    id,
    text: withCount(row, 0),
    stamp: changedAt,
  };
};

/** A key that cannot know a folder would make it again with each run. */
const refuseSecond = ([there]: readonly NamedFolder[]): void => {
  if (!there) return;
  throw new Refusal(
    "already_there",
    `There is already a folder of this name. Its id is ${there.id}. Nothing was changed.`,
  );
};

/** Returns a folder's row with the number of its open tasks, as JSON text. */
export const withCount = (row: string, count: number): string =>
  `${row.slice(0, -1)},"task_count":${count}}`;
