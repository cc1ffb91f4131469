import { recordName } from "../domain/base/record.ts";
import type { FolderView } from "./views.ts";

// Folders named `A / B` are shown as a tree. Records know nothing of it: the names are all there is.

/** A folder, or the name that some have in common, with those below it. */
export type FolderNode = {
  /** The whole name, which no other node at the same place has. */
  readonly path: string;
  readonly name: string;
  /** Null if there are only folders below it. */
  readonly folder: FolderView | null;
  readonly children: readonly FolderNode[];
};

const BETWEEN = " / ";

type Growing = FolderNode & { folder: FolderView | null; readonly children: Growing[] };

/** Returns folders as a tree. Each node is where the first of its folders is; of two with the same name, each has its own. */
export const folderTree = (folders: readonly FolderView[]): readonly FolderNode[] => {
  const root: Growing[] = [];
  for (const folder of folders) {
    let among = root;
    const parts = partsOf(recordName("sync_projects", folder.name));
    for (const [at, name] of parts.entries()) {
      const path = parts.slice(0, at + 1).join(BETWEEN);
      const isLast = at === parts.length - 1;
      let node = among.find((one) => one.path === path && !(isLast && one.folder));
      if (!node) {
        node = { path, name, folder: null, children: [] };
        among.push(node);
      }
      if (isLast) node.folder = folder;
      among = node.children;
    }
  }
  return root;
};

/** A name that begins or ends with the sign, or has nothing between two of them, is no path. */
const partsOf = (name: string): readonly string[] => {
  const parts = name.split(BETWEEN).map((part) => part.trim());
  return parts.includes("") ? [name] : parts;
};

/** The ids of a node's folder and of all below it. */
export const foldersIn = ({ folder, children }: FolderNode): readonly string[] => [
  ...(folder === null ? [] : [folder.id]),
  ...children.flatMap(foldersIn),
];

/** Returns the node of a folder and what is beside it; null if it is not in the tree. */
export const findInTree = (
  tree: readonly FolderNode[],
  id: string,
): { readonly node: FolderNode; readonly beside: readonly FolderNode[] } | null => {
  for (const node of tree) {
    const found = node.folder?.id === id ? { node, beside: tree } : findInTree(node.children, id);
    if (found) return found;
  }
  return null;
};

/** The folders below one of this name. */
export const foldersBelow = (
  folders: readonly FolderView[],
  name: string,
): readonly FolderView[] =>
  name.trim() === "" ? [] : folders.filter((one) => one.name.startsWith(name + BETWEEN));
