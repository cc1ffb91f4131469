import { type Editor, mayRead } from "../../domain/people/caller.ts";
import { type TaskPatch, trashRefusal } from "../../domain/tasks/draft.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import type { Payload } from "../../domain/base/payload.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { holdsTrash } from "../../domain/tasks/bucket.ts";
import { folderNamed } from "../../domain/tasks/folder.ts";
import type { Transaction } from "../transaction.ts";

/**
 * Resolves the folder and bucket that were sent into payload fields. Refuses unknown ones, folders outside
 * the editor's restriction, and trash buckets: tasks cannot be trashed over REST.
 */
export const resolveContainers = (
  tx: Transaction,
  patch: TaskPatch,
  editor: Editor,
): MaybePromise<Payload> =>
  andThen(resolveBucket(tx, patch.bucket_id, editor.kind === "api_key"), (bucket) =>
    andThen(resolveFolder(tx, editor, patch), (folder) => ({ ...bucket, ...folder })),
  );

const resolveBucket = (
  tx: Transaction,
  id: string | null | undefined,
  byKey: boolean,
): MaybePromise<Payload> => {
  if (id === undefined) return {};
  if (id === null) return { bucket_id: null };
  return andThen(tx.records.find([{ table: "sync_buckets", id }]), ([bucket]) => {
    if (holdsTrash(id, bucket ?? null))
      throw trashRefusal("the bucket_id of a trash bucket", byKey);
    if (bucket?.deletedAt !== null)
      throw invalid("bucket_id does not match any bucket in this account.");
    return { bucket_id: id };
  });
};

/** Both fields are the id or else the exact name of a live folder. */
const resolveFolder = (
  tx: Transaction,
  editor: Editor,
  { folder, project_id: projectId }: TaskPatch,
): MaybePromise<Payload> => {
  if (folder === undefined && projectId === undefined) return {};
  return andThen(findFolder(tx, editor, folder, "folder"), (one) =>
    andThen(findFolder(tx, editor, projectId, "project_id"), (other) => {
      if (one !== undefined && other !== undefined && one !== other)
        throw invalid("folder and project_id mean different folders. Send only one of them.");
      return { project_id: one ?? other ?? null };
    }),
  );
};

/** Returns the folder's id; null for no folder, and undefined if nothing was sent. Refuses an unknown one. */
const findFolder = (
  tx: Transaction,
  editor: Editor,
  text: string | null | undefined,
  sentAs: string,
): MaybePromise<string | null | undefined> => {
  if (text === undefined || text === null) return text;
  return andThen(tx.folders.has(text, editor.restriction), (isId) =>
    isId
      ? text
      : andThen(tx.folders.names(editor.restriction), (folders) =>
          folderNamed(folders, text, sentAs, mayRead(editor)),
        ),
  );
};
