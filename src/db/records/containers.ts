import { type Editor, mayRead } from "../../domain/people/account.ts";
import { type TaskPatch, trashRefusal } from "../../domain/tasks/content.ts";
import type { Payload } from "../../domain/base/payload.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { holdsTrash } from "../../domain/tasks/task.ts";
import { folderNamed } from "../../domain/tasks/folder.ts";
import type { Transaction } from "../transaction.ts";

/**
 * Resolves the folder and bucket that were sent into payload fields. Refuses unknown ones, folders outside
 * the editor's restriction, and trash buckets: tasks cannot be trashed over REST.
 */
export const resolveContainers = async (
  tx: Transaction,
  patch: TaskPatch,
  editor: Editor,
): Promise<Payload> => {
  const bucket = await resolveBucket(tx, patch.bucket_id, editor.kind === "api_key");
  const folder = await resolveFolder(tx, editor, patch);
  return { ...bucket, ...folder };
};

const resolveBucket = async (
  tx: Transaction,
  id: string | null | undefined,
  byKey: boolean,
): Promise<Payload> => {
  if (id === undefined) return {};
  if (id === null) return { bucket_id: null };
  const [bucket] = await tx.records.find([{ table: "sync_buckets", id }]);
  if (holdsTrash(id, bucket ?? null)) throw trashRefusal("the bucket_id of a trash bucket", byKey);
  if (bucket?.deletedAt !== null)
    throw invalid("bucket_id does not match any bucket in this account.");
  return { bucket_id: id };
};

/** Both fields are the id or else the exact name of a live folder. */
const resolveFolder = async (
  tx: Transaction,
  editor: Editor,
  { folder, project_id: projectId }: TaskPatch,
): Promise<Payload> => {
  if (folder === undefined && projectId === undefined) return {};
  const one = await findFolder(tx, editor, folder, "folder");
  const other = await findFolder(tx, editor, projectId, "project_id");
  if (one !== undefined && other !== undefined && one !== other)
    throw invalid("folder and project_id mean different folders. Send only one of them.");
  return { project_id: one ?? other ?? null };
};

/** Returns the folder's id; null for no folder, and undefined if nothing was sent. Refuses an unknown one. */
const findFolder = async (
  tx: Transaction,
  editor: Editor,
  text: string | null | undefined,
  sentAs: string,
): Promise<string | null | undefined> => {
  if (text === undefined || text === null) return text;
  const isId = await tx.folders.has(text, editor.restriction);
  if (isId) return text;
  const folders = await tx.folders.names(editor.restriction);
  return folderNamed(folders, text, sentAs, mayRead(editor));
};
