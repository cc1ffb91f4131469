import type { Entry, Link, Parser } from "../model.ts";
import { cellOf, hasHeader, readTable, rowsOf } from "../table.ts";
import { entriesOf, treeOf } from "../tree.ts";

/** Reads Raindrop.io's table. */
export const readRaindrop: Parser = ({ text }) => {
  if (!/^[^\n]*\burl\b/i.test(text)) return null;
  const table = readTable(text, ",");
  if (!hasHeader(table, ["url", "folder", "excerpt"])) return null;
  const links = rowsOf(table).map((row) => ({
    path: pathIn(cellOf(row, "folder")),
    link: {
      address: cellOf(row, "url"),
      title: cellOf(row, "title"),
      date: cellOf(row, "created"),
      note: [cellOf(row, "note"), cellOf(row, "highlights")]
        .filter((words) => words.trim())
        .join("\n\n"),
      tags: cellOf(row, "tags").split(","),
    },
  }));
  const { entries, skipped } = entriesOf(treeOf(links), "Raindrop.io");
  const rank = new Map(links.map(({ link }, at): [Link, number] => [link, at]));
  const first = (entry: Entry): number => rank.get(entry.links[0] as Link) ?? 0;
  return {
    format: "raindrop",
    tool: "Raindrop.io",
    // Folders are in the order of their first rows.
    entries: entries.toSorted((a, b) => first(a) - first(b)),
    skipped,
  };
};

const pathIn = (folder: string): readonly string[] => {
  const path = folder
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return path.length === 0 ? ["Unsorted"] : path;
};
