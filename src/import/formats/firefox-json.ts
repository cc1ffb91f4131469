import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import type { Link, Parser } from "../model.ts";
import { entriesOf, type Folder } from "../tree.ts";
import { textOf } from "../text.ts";

const CONTAINER = "text/x-moz-place-container";

const ROOTS: Readonly<Record<string, string>> = {
  bookmarksMenuFolder: "Bookmarks menu",
  toolbarFolder: "Bookmarks toolbar",
  unfiledBookmarksFolder: "Other bookmarks",
  mobileFolder: "Mobile bookmarks",
};

/** Reads a backup of Firefox's bookmarks. */
export const readFirefoxJson: Parser = ({ json }) => {
  if (!isObject(json) || json["type"] !== CONTAINER) return null;
  const top = { ...folderOf(json), name: "" };
  return { format: "firefox-json", tool: "Bookmarks", ...entriesOf(top, "Bookmarks") };
};

const folderOf = (node: Payload): Folder => {
  const children = listField(node, "children")
    .filter(isObject)
    .toSorted((a, b) => Number(a["index"] ?? 0) - Number(b["index"] ?? 0));
  const root = textOf(node["root"]);
  return {
    name: ROOTS[root] ?? textOf(node["title"]),
    links: children.filter(({ type }) => type === "text/x-moz-place").map(linkOf),
    folders: children
      .filter(({ type, root: kind }) => type === CONTAINER && kind !== "tagsFolder")
      .map(folderOf),
  };
};

const linkOf = (node: Payload): Link => ({
  address: node["uri"],
  title: node["title"],
  date: node["dateAdded"],
  note: listField(node, "annos")
    .filter(isObject)
    .filter(({ name }) => name === "bookmarkProperties/description")
    .map(({ value }) => textOf(value))
    .join("\n"),
  tags: textOf(node["tags"]).split(","),
});
