import { isObject, type Payload } from "../../domain/base/payload.ts";
import type { Link, Parser } from "../model.ts";
import { textOf } from "../text.ts";
import { entriesOf, type Folder } from "../tree.ts";

/** A node of the tree. Those beneath a tab are where it is. */
type Node = { readonly data: Payload; readonly nodes: Node[] };

/** Reads a tree of Tabs Outliner: windows, groups and notes with something beneath them are folders. */
export const readTabsOutliner: Parser = ({ json }) => {
  if (!Array.isArray(json)) return null;
  const [first] = json as readonly unknown[];
  const session = isObject(first) && isObject(first["node"]) ? first["node"] : null;
  if (session?.["type"] !== "session") return null;
  const top: Node = { data: {}, nodes: [] };
  for (const item of json as readonly unknown[]) {
    const [, data, path] = Array.isArray(item) ? (item as readonly unknown[]) : [];
    if (isObject(data) && Array.isArray(path)) grow(top, data, path);
  }
  return {
    format: "tabs-outliner",
    tool: "Tabs Outliner",
    ...entriesOf(folderOf(top, ""), "Tabs Outliner"),
  };
};

/** Puts a node where its path says: the place among the nodes of each node above it. */
const grow = (top: Node, data: Payload, path: readonly unknown[]): void => {
  let above: Node | undefined = top;
  for (const place of path.slice(0, -1)) above = above?.nodes[Number(place)];
  const place = Number(path.at(-1));
  // The file has them in order.
  if (above && place === above.nodes.length) above.nodes.push({ data, nodes: [] });
};

const folderOf = ({ nodes }: Node, name: string): Folder => {
  const links: Link[] = [];
  const folders: Folder[] = [];
  const notes: string[] = [];
  let windows = 0;
  const take = (node: Node): void => {
    const { type } = node.data;
    const inner = isObject(node.data["data"]) ? node.data["data"] : {};
    const marks = isObject(node.data["marks"]) ? node.data["marks"] : {};
    const own = textOf(marks["customTitle"]);
    if (type === "separatorline") return;
    if (type === "win" || type === "savedwin" || type === "group") {
      windows += 1;
      folders.push(folderOf(node, own || `${type === "group" ? "Group" : "Window"} ${windows}`));
    } else if (type === "textnote") {
      const text = textOf(inner["note"]);
      if (node.nodes.length > 0) folders.push(folderOf(node, text));
      else notes.push(text);
    } else {
      links.push({
        address: inner["url"],
        title: own || inner["title"],
        pinned: inner["pinned"] === true,
      });
      for (const below of node.nodes) take(below);
    }
  };
  for (const node of nodes) take(node);
  return { name, links, folders, notes };
};
