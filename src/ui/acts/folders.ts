import {
  createBucket,
  createFolder,
  type FolderFields,
  remove,
  setFolder,
} from "../../client/edits.ts";
import { foldersBelow } from "../../client/folder-tree.ts";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { type Typed, typeBucketName, typeFolderName } from "../../client/typed.ts";
import { client, folders } from "../state/client.ts";
import { go, pathTo } from "../state/route.ts";
import { act } from "./act.ts";

export const addFolder = async (name: string): Promise<string | null> => {
  const id = client().newId();
  const made = await act("Folder added", [createFolder({ id, name })]);
  return made ? id : null;
};

export const changeFolder = (id: string, fields: FolderFields): Promise<boolean> =>
  act("Folder changed", [setFolder(id, fields)]);

/** Changes a name as somebody types it. Folders below it keep their place under the new name. */
export const renameFolder = (id: string, typed: Typed): Promise<boolean> => {
  const below = foldersBelow(folders.value, typed.was).map((one) => ({
    id: one.id,
    name: typed.now.trim() + one.name.slice(typed.was.length),
  }));
  return act("Folder changed", [
    typeFolderName(id, typed),
    ...below
      .filter(({ name }) => name.length <= MAX_NAME)
      .map((one) => setFolder(one.id, { name: one.name })),
  ]);
};

/** Its tasks stay, in no folder. */
export const deleteFolder = async (id: string): Promise<void> => {
  go(pathTo({ view: "open" }));
  await act("Folder deleted", [remove("sync_projects", id)], { notice: true });
};

/** Adds a column to the board. */
export const addColumn = (name: string): Promise<boolean> =>
  act("Column added", [createBucket({ id: client().newId(), name })]);

/** Changes a name as somebody types it. */
export const renameColumn = (id: string, typed: Typed): Promise<boolean> =>
  act("Column renamed", [typeBucketName(id, typed)]);

/** Its tasks stay, in no column. */
export const deleteColumn = (id: string): Promise<boolean> =>
  act("Column deleted", [remove("sync_buckets", id)], { notice: true });
