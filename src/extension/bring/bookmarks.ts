import type { Entry } from "../../import/model.ts";
import { entriesOf, type Folder } from "../../import/tree.ts";
import type { BookmarkNode } from "../browser/api.ts";

/** A folder of bookmarks to choose. */
export type Shelf = {
  readonly id: string;
  readonly name: string;
  /** How many folders are above it. */
  readonly depth: number;
  /** Links in it, and in all that is beneath it. */
  readonly links: number;
};

/** The folders of the browser's bookmarks that hold any, each before those beneath it. The outermost has no name. */
export const shelvesIn = (nodes: readonly BookmarkNode[], depth = 0): readonly Shelf[] =>
  nodes.flatMap((node) => {
    const { id, title, children } = node;
    if (!children || linksIn(node) === 0) return [];
    const isTop = depth === 0 && title === "";
    const below = shelvesIn(children, isTop ? 0 : depth + 1);
    return isTop
      ? below
      : [{ id, name: title || "Untitled", depth, links: linksIn(node) }, ...below];
  });

const linksIn = ({ url, children = [] }: BookmarkNode): number =>
  (url === undefined ? 0 : 1) + children.reduce((sum, child) => sum + linksIn(child), 0);

/** The tool's name for what is in no folder. */
export const BOOKMARKS = "Bookmarks";

/** The links of the folders with these ids, as what an import makes of bookmarks. A chosen folder is chosen alone. */
export const entriesIn = (
  nodes: readonly BookmarkNode[],
  ids: ReadonlySet<string>,
): readonly Entry[] =>
  entriesOf(folderOf({ id: "", title: "", children: nodes }, ids), BOOKMARKS).entries;

const folderOf = (
  { id, title, children = [] }: BookmarkNode,
  ids: ReadonlySet<string>,
): Folder => ({
  name: title,
  links: ids.has(id)
    ? children.flatMap(({ url, title: name, dateAdded }) =>
        url === undefined ? [] : [{ address: url, title: name, date: dateAdded }],
      )
    : [],
  // The browsers' outermost folder has no name: what is in it is at the top.
  folders: children.flatMap((child) =>
    child.url !== undefined
      ? []
      : child.title === ""
        ? folderOf(child, ids).folders
        : isWanted(child, ids)
          ? [folderOf(child, ids)]
          : [],
  ),
});

/** A folder of which nothing is chosen would be reported as an empty one. */
const isWanted = ({ id, children = [] }: BookmarkNode, ids: ReadonlySet<string>): boolean =>
  ids.has(id) || children.some((child) => child.url === undefined && isWanted(child, ids));
