import { COLUMNS } from "../../export/csv.ts";
import { readDue } from "../dates.ts";
import { entriesOfItems, type Item } from "../items.ts";
import type { Entry, Link, Parsed, Parser } from "../model.ts";
import { plainName, readTable, type Table } from "../table.ts";
import { cut, noteText, oneLine } from "../text.ts";
import { entriesOf, pathName, treeOf } from "../tree.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

/** What a column can mean, and the names that say so. */
const NAMES = {
  url: ["url", "link", "href", "address", "website", "uri"],
  title: ["title", "name", "task", "summary", "content", "subject"],
  note: ["note", "notes", "description", "comment", "comments", "selection"],
  tags: ["tags", "tag", "labels", "label", "keywords"],
  folder: ["folder", "list", "project", "collection", "category", "group"],
  status: ["status", "state", "done", "completed", "archived"],
  due: ["due", "due date", "due_date", "deadline"],
  created: [
    "created",
    "created_at",
    "added",
    "date added",
    "date_added",
    "time_added",
    "timestamp",
    "saved at",
    "date",
  ],
} as const;

type Meaning = keyof typeof NAMES;
type Columns = ReadonlyMap<Meaning, number>;

const INSTAPAPER = ["url", "title", "selection", "folder", "timestamp"];

/** Reads a table whose first row says what its columns are, or one of addresses alone. */
export const readCsv: Parser = ({ name, text }) => {
  const isTable = /\.[ct]sv$/i.test(name);
  const found = tableIn(text, isTable);
  if (!found) return null;
  const { table, columns } = found;
  if (COLUMNS.every((one, at) => table[0]?.[at] === one)) return ownTable(table, name);
  const isInstapaper = INSTAPAPER.every((one) => table[0]?.map(plainName).includes(one));
  const tool = isInstapaper ? "Instapaper" : name.replace(/\.\w+$/, "").trim() || "Links";
  const rows = table
    .slice(found.hasHeader ? 1 : 0)
    .filter((cells) => cells.some((cell) => cell.trim() !== ""))
    .map((cells) => (meaning: Meaning) => cells[columns.get(meaning) ?? -1]?.trim() ?? "");
  const isStated = (["status", "due", "note", "tags"] as const).some((one) => columns.has(one));
  if (isInstapaper || isStated)
    return { format: "csv", tool, ...entriesOfItems(rows.map((row) => itemOf(row, isInstapaper))) };
  const links = rows.map((row) => ({ path: pathIn(row("folder")), link: linkOf(row) }));
  return { format: "csv", tool, ...entriesOf(treeOf(links), tool) };
};

/** Reads Docket's own table, in which several rows can be one task: only the first of them has a status. */
const ownTable = ([, ...rows]: Table, name: string): Parsed => {
  type Growing = Entry & { readonly links: Link[] };
  const entries: Growing[] = [];
  for (const [folder = "", title = "", status = "", due = "", tags = "", ...rest] of rows) {
    const [address = "", words = "", date = "", note = ""] = rest;
    const last = entries.at(-1);
    const link = address === "" ? [] : [{ address, title: words, date }];
    if (status === "" && last?.title === title) last.links.push(...link);
    else if (title !== "" || address !== "")
      entries.push({
        folder: folder === "" ? null : folder,
        title,
        status: status || "todo",
        due: readDue(due).due,
        tags: tags.split(","),
        notes: [note],
        links: link,
        isTodo: true,
      });
  }
  return {
    format: "csv",
    tool: name.replace(/\.\w+$/, "").trim() || "Links",
    entries,
    skipped: [],
  };
};

type Read = (meaning: Meaning) => string;

/** Finds the sign between the cells: the one with which the first row has the most names that are known. */
const tableIn = (text: string, isTable: boolean) => {
  const [line = ""] = text.split(/[\r\n]/, 1);
  const counted = [",", ";", "\t"]
    .map((sign) => ({ sign, columns: columnsOf(line.split(sign)), cells: line.split(sign).length }))
    .toSorted((a, b) => b.columns.size - a.columns.size || b.cells - a.cells);
  const [best] = counted;
  if (!best || (best.columns.size < 2 && !isTable)) return null;
  const table = isTable ? readTable(text, best.sign) : tryTable(text, best.sign);
  if (table === null) return null;
  const columns = columnsOf(table[0] ?? []);
  if (columns.size >= 2 || columns.has("url")) return { table, columns, hasHeader: true };
  const plain = plainColumns(table);
  return plain && { table, columns: plain, hasHeader: false };
};

/** A text that only begins like a table may have quotes that do not close. */
const tryTable = (text: string, sign: string): Table | null => {
  try {
    return readTable(text, sign);
  } catch {
    return null;
  }
};

const columnsOf = (header: readonly string[]): Columns => {
  const names = header.map((cell) => plainName(cell.replaceAll('"', "")));
  return new Map(
    Object.entries(NAMES).flatMap(([meaning, known]) => {
      const at = names.findIndex((one) => (known as readonly string[]).includes(one));
      return at < 0 ? [] : [[meaning as Meaning, at] as const];
    }),
  );
};

/** Without a header: the first column that is mostly addresses, and the one after it for titles. */
const plainColumns = (table: Table): Columns | null => {
  const width = Math.max(0, ...table.map((cells) => cells.length));
  for (let at = 0; at < width; at += 1) {
    const count = table.filter((cells) => /^https?:\/\//i.test(cells[at]?.trim() ?? "")).length;
    if (count * 2 > table.length)
      return new Map([["url", at] as const, ["title", at + 1] as const]);
  }
  return null;
};

const pathIn = (folder: string): readonly string[] =>
  folder
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "");

const linkOf = (row: Read): Link => ({
  address: row("url"),
  title: row("title"),
  date: row("created"),
});

/** How much of a selection is the title of what has none. */
const TITLE = 80;

const itemOf = (row: Read, isInstapaper: boolean): Item => {
  const [folder, note, due] = [row("folder"), noteText(row("note")), row("due")];
  const { due: day, isAll } = readDue(due);
  const notes = [note, due === "" || isAll ? "" : `Date: ${due}`].filter((text) => text !== "");
  const isArchive = isInstapaper && folder === "Archive";
  const common = {
    folder: isArchive || (isInstapaper && folder === "Unread") ? null : pathName(pathIn(folder)),
    status: isArchive ? "done" : statusOf(row("status")),
    due: day,
    tags: tagsIn(row("tags")),
    notes,
  };
  if (row("url") !== "") return { ...common, title: row("title"), links: [linkOf(row)] };
  const words =
    row("title") === "" && isInstapaper ? cut(oneLine(note, note.length), TITLE) : row("title");
  return {
    ...common,
    title: withoutMarkdown(words),
    links: linksOf([words, ...notes]),
    isTodo: words !== "",
  };
};

/** Instapaper's are a JSON list. */
const tagsIn = (text: string): readonly string[] => {
  try {
    const tags: unknown = JSON.parse(text);
    if (Array.isArray(tags)) return tags.filter((tag) => typeof tag === "string");
  } catch {
    // It is a list in words.
  }
  return text.split(/[,;|]/);
};

const DONE = [
  "done",
  "completed",
  "complete",
  "archive",
  "archived",
  "closed",
  "x",
  "true",
  "yes",
  "1",
  "read",
];
const OTHERS: Readonly<Record<string, string>> = {
  cancelled: "cancelled",
  canceled: "cancelled",
  "in progress": "in_progress",
  blocked: "blocked",
  "in review": "in_review",
};

const statusOf = (text: string): string => {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");
  return DONE.includes(plain) ? "done" : (OTHERS[plain] ?? "todo");
};
