import { entriesOfItems } from "../items.ts";
import type { Parser } from "../model.ts";
import { cellOf, hasHeader, readTable, rowsOf } from "../table.ts";

/** Reads Pocket's table. */
export const readPocket: Parser = ({ text }) => {
  if (!/^[^\n]*\btime_added\b/i.test(text)) return null;
  const table = readTable(text, ",");
  if (!hasHeader(table, ["title", "url", "time_added", "tags", "status"])) return null;
  const items = rowsOf(table).map((row) => ({
    folder: null,
    title: cellOf(row, "title"),
    status: cellOf(row, "status").trim().toLowerCase() === "archive" ? "done" : "todo",
    tags: cellOf(row, "tags").split("|"),
    notes: [],
    links: [
      {
        address: cellOf(row, "url"),
        title: cellOf(row, "title"),
        date: cellOf(row, "time_added"),
      },
    ],
  }));
  return { format: "pocket", tool: "Pocket", ...entriesOfItems(items) };
};
