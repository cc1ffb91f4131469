import { onOneLine } from "../../domain/base/text.ts";
import { isObject } from "../../domain/base/payload.ts";
import { readDue } from "../dates.ts";
import type { Entry, Parser } from "../model.ts";
import { cellOf, hasHeader, readTable, type Row, rowsOf } from "../table.ts";
import { noteText, textOf } from "../text.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

/** A task while its rows are read. */
type Growing = {
  readonly entry: Omit<Entry, "links" | "notes">;
  readonly notes: string[];
  /** Its title as it was written. */
  readonly words: string;
  readonly indent: number;
};

/** Reads a project of Todoist: its table, or one of a backup. */
export const readTodoist: Parser = ({ name, text }) => {
  if (!/^"?TYPE"?,"?CONTENT/i.test(text)) return null;
  const table = readTable(text, ",");
  if (!hasHeader(table, ["type", "content", "indent"])) return null;
  const project = projectOf(name);
  const tasks: Growing[] = [];
  const about: string[] = [];
  let folder = project;
  let parents: readonly Growing[] = [];
  for (const row of rowsOf(table)) {
    const words = cellOf(row, "content");
    switch (cellOf(row, "type").trim().toLowerCase()) {
      case "section":
        folder = `${project} / ${onOneLine(words)}`;
        parents = [];
        break;
      case "task": {
        const indent = Number(cellOf(row, "indent")) || 1;
        const above = parents.filter((one) => one.indent < indent);
        const task = taskOf(row, folder, indent, above.at(-1) ?? null);
        tasks.push(task);
        parents = [...above, task];
        break;
      }
      case "note":
        tasks.at(-1)?.notes.push(commentOf(words));
        break;
      case "project_note":
        about.push(commentOf(words));
        break;
      default:
    }
  }
  const top: readonly Entry[] =
    about.length === 0
      ? []
      : [{ folder: project, title: project, links: linksOf(about), notes: about }];
  return {
    format: "todoist",
    tool: project,
    entries: [...top, ...tasks.map(withLinks)],
    skipped: [],
  };
};

/** The file's name without its ending and the project's id. */
const projectOf = (name: string): string =>
  name
    .replace(/\.csv$/i, "")
    .replace(/ \[\w+\]$/, "")
    .trim() || "Todoist";

const LABEL = /(^|\s)@([^\s@,]+)/g;

const taskOf = (row: Row, folder: string, indent: number, parent: Growing | null): Growing => {
  const words = cellOf(row, "content").replace(/^\* /, "");
  const own = onOneLine(withoutMarkdown(words.replaceAll(LABEL, "$1")));
  const title = own === "" ? "Untitled" : own;
  const priority = cellOf(row, "priority").trim();
  const { due, notes } = datesOf(row);
  const description = noteText(cellOf(row, "description"));
  const entry = {
    folder,
    title: parent ? `${parent.entry.title} › ${title}` : title,
    due,
    tags: [
      ...[...words.matchAll(LABEL)].map(([, , label = ""]) => label),
      ...(["1", "2", "3"].includes(priority) ? [`p${priority}`] : []),
    ],
    isTodo: true,
  };
  return {
    entry,
    notes: [...(description === "" ? [] : [description]), ...notes],
    words,
    indent,
  };
};

/** The deadline is when it is due; without one, the date is. What says more, or is not read, is a note. */
const datesOf = (row: Row): { readonly due: string | null; readonly notes: readonly string[] } => {
  const zone = cellOf(row, "timezone").trim();
  const [deadline, date] = [cellOf(row, "deadline").trim(), cellOf(row, "date").trim()];
  const [last, day] = [readDue(deadline), readDue(date)];
  const note = (name: string, text: string): string =>
    `${name}: ${text}${zone === "" ? "" : ` (${zone})`}`;
  const isSaid = date === "" || (day.isAll && (last.due === null || last.due === day.due));
  return {
    due: last.due ?? day.due,
    notes: [
      ...(deadline === "" || last.isAll ? [] : [note("Deadline", deadline)]),
      ...(isSaid ? [] : [note("Date", date)]),
    ],
  };
};

/** A comment, with each file that hangs on it as a line: its name and address. */
const commentOf = (text: string): string =>
  noteText(
    text.replaceAll(/\s*\[\[file (\{[^]*?\})\]\]/g, (whole, json: string) => {
      const file = fileIn(json);
      return file === null ? whole : `\n${file}`;
    }),
  );

const fileIn = (json: string): string | null => {
  try {
    const file: unknown = JSON.parse(json);
    if (!isObject(file)) return null;
    const parts = [textOf(file["file_name"]), textOf(file["file_url"])];
    return parts.filter((part) => part !== "").join(" ");
  } catch {
    return null;
  }
};

const withLinks = ({ entry, words, notes }: Growing): Entry => ({
  ...entry,
  notes,
  links: linksOf([words, ...notes]),
});
