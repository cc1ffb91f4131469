import { onOneLine } from "../../domain/base/text.ts";
import { formatInstant, isDate } from "../../domain/base/instant.ts";
import { readDate } from "../dates.ts";
import type { Entry, Parser } from "../model.ts";
import { cellOf, hasHeader, readTable, type Row, rowsOf } from "../table.ts";
import { noteText } from "../text.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

const STATUSES: Readonly<Record<string, string>> = { "1": "done", "2": "done", "-1": "cancelled" };
const PRIORITIES: Readonly<Record<string, string>> = { "5": "p1", "3": "p2", "1": "p3" };

/** Reads TickTick's backup: a table below a few lines about it. */
export const readTickTick: Parser = ({ text }) => {
  if (!/list name/i.test(text) || !/taskid/i.test(text)) return null;
  const whole = readTable(text, ",");
  const start = whole.findIndex((_, at) => hasHeader(whole.slice(at, at + 1), HEADER));
  if (start < 0) return null;
  const rows = rowsOf(whole.slice(start));
  const ids = new Set(rows.map((row) => cellOf(row, "taskid")));
  const children = Map.groupBy(rows, parentOf);
  const entries: Entry[] = [];
  const seen = new Set<Row>();
  const add = (row: Row, above: string): void => {
    if (seen.has(row)) return;
    seen.add(row);
    const entry = entryOf(row, above);
    entries.push(entry);
    const id = cellOf(row, "taskid").trim();
    for (const child of inOrder(id === "" ? [] : (children.get(id) ?? []))) add(child, entry.title);
  };
  for (const [, list] of Map.groupBy(rows, folderOf)) {
    const isTop = (row: Row): boolean => parentOf(row) === "" || !ids.has(parentOf(row));
    for (const row of inOrder(list.filter(isTop))) add(row, "");
  }
  // Tasks that are in one another, and in no other.
  for (const row of rows) add(row, "");
  return { format: "ticktick", tool: "TickTick", entries, skipped: [] };
};

const parentOf = (row: Row): string => cellOf(row, "parentid").trim();

const HEADER = ["list name", "title", "status", "taskid"];

const inOrder = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => Number(cellOf(a, "order")) - Number(cellOf(b, "order")) || 0);

const folderOf = (row: Row): string => {
  const list = cellOf(row, "list name").trim() || "Inbox";
  const column = cellOf(row, "column name").trim();
  return [cellOf(row, "folder name").trim(), list, column === "Not Sectioned" ? "" : column]
    .filter((name) => name !== "")
    .join(" / ");
};

const entryOf = (row: Row, above: string): Entry => {
  const words = cellOf(row, "title");
  const own = onOneLine(withoutMarkdown(words)) || "Untitled";
  const content = noteText(
    cellOf(row, "content").replaceAll(
      /\s*([▫▪])\s*/g,
      (_, mark) => `\n- [${mark === "▪" ? "x" : " "}] `,
    ),
  );
  const { due, note } = datesOf(row);
  const id = cellOf(row, "taskid").trim();
  const priority = PRIORITIES[cellOf(row, "priority").trim()];
  return {
    folder: folderOf(row),
    title: above === "" ? own : `${above} › ${own}`,
    status: STATUSES[cellOf(row, "status").trim()] ?? "todo",
    due,
    tags: [...cellOf(row, "tags").split(","), ...(priority === undefined ? [] : [priority])],
    notes: [content, note].filter((text) => text !== ""),
    links: linksOf([words, content]),
    isTodo: true,
    ...(id === "" ? {} : { key: id }),
  };
};

/** The day on which it is due where the person is, and what the dates say beside that. */
const datesOf = (row: Row): { readonly due: string | null; readonly note: string } => {
  const zone = cellOf(row, "timezone").trim();
  const due = placeOf(cellOf(row, "due date"), zone);
  const start = placeOf(cellOf(row, "start date"), zone);
  const repeat = cellOf(row, "repeat").trim();
  const hasTime = cellOf(row, "is all day").trim().toLowerCase() === "false";
  const within = zone === "" ? "" : ` (${zone})`;
  const lines = [
    due !== null && hasTime ? `Due: ${due.day} ${due.time}${within}` : "",
    start !== null && start.day !== due?.day ? `Start: ${start.day}` : "",
    repeat === "" ? "" : `Repeats: ${repeat}`,
  ];
  return { due: due?.day ?? null, note: lines.filter((line) => line !== "").join("\n") };
};

/** The day and time of a date in a zone. One that names no offset is there already. Null if it cannot be read. */
const placeOf = (
  text: string,
  zone: string,
): { readonly day: string; readonly time: string } | null => {
  const date = readDate(text);
  if (date === null) return null;
  const isThere = !/(?:Z|[+-]\d\d:?\d\d)$/i.test(text.trim());
  const there = isThere ? date : inZone(date, zone);
  const day = there.slice(0, 10);
  return isDate(day) ? { day, time: there.slice(11, 16) } : null;
};

const inZone = (date: string, timeZone: string): string => {
  try {
    const parts = new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      dateStyle: "short",
      timeStyle: "short",
    }).format(new Date(date));
    return parts.replace(" ", "T");
  } catch {
    return formatInstant(Date.parse(date));
  }
};
