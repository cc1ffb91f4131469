import type { Editor } from "../../domain/people/caller.ts";
import { type TaskPatch, trashRefusal } from "../../domain/tasks/draft.ts";
import type { Restriction } from "../../domain/people/restriction.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import type { Payload } from "../../domain/base/payload.ts";
import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { holdsTrash } from "../../domain/tasks/bucket.ts";
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
    andThen(resolveFolder(tx, editor.restriction, patch), (folder) => ({ ...bucket, ...folder })),
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

/** `folder` is the id or else the exact name of a live folder; `project_id` is always an id. */
const resolveFolder = (
  tx: Transaction,
  restriction: Restriction | null,
  patch: TaskPatch,
): MaybePromise<Payload> => {
  const { folder, project_id: projectId } = patch;
  if (folder === undefined && projectId === undefined) return {};
  const byName = folder
    ? andThen(
        tx.folders.find("id", folder, restriction),
        (id) => id ?? tx.folders.find("title", folder, restriction),
      )
    : null;
  return andThen(byName, (named) =>
    andThen(projectId ? tx.folders.find("id", projectId, restriction) : null, (known) => ({
      project_id: folderOf(patch, named, known),
    })),
  );
};

/**
 * Combines what `folder` and `project_id` resolved to. Returns null for no folder; refuses unknown and
 * contradictory ones.
 */
const folderOf = (
  { folder, project_id: projectId }: TaskPatch,
  named: string | null,
  known: string | null,
): string | null => {
  if (folder === "" || (folder && named === null))
    throw invalid(
      say`folder does not match any folder in this account. Send an id or exact name from ${{ call: "listFolders" }}.`,
    );
  if (projectId === "" || (projectId && known === null))
    throw invalid(
      say`project_id does not match any folder in this account. Send an id from ${{ call: "listFolders" }}.`,
    );
  if (folder !== undefined && projectId !== undefined && named !== known)
    throw invalid("folder and project_id mean different folders. Send only one of them.");
  return named ?? known;
};
