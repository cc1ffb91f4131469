import type { Writer } from "./model.ts";

/** The columns of Docket's table. Of a task with several tabs, only the first row says more than folder, task and tab. */
export const COLUMNS = [
  "folder",
  "task",
  "status",
  "due",
  "tags",
  "url",
  "title",
  "added_at",
  "note",
] as const;

/**
 * Writes a table with a row for each tab, and one for a task without tabs. `isForSpreadsheets` puts a `'` before cells that a
 * spreadsheet would take for a formula: then the file does not come back as it was.
 */
export const writeCsv = (isForSpreadsheets: boolean): Writer =>
  async function* (tasks) {
    yield `\uFEFF${line(COLUMNS, isForSpreadsheets)}`;
    for await (const { folder, title, status, due, tags, tabs, notes } of tasks) {
      const rows = tabs.length === 0 ? [{ url: "", title: "", addedAt: null }] : tabs;
      for (const [at, tab] of rows.entries()) {
        const first = [status, due ?? "", tags.join(", "), notes.join("\n\n")];
        const [own, day, labels, note] = (at === 0 ? first : ["", "", "", ""]) as Four;
        const link = [tab.url, tab.title, tab.addedAt ?? ""];
        yield line([folder, title, own, day, labels, ...link, note], isForSpreadsheets);
      }
    }
  };

const line = (cells: readonly string[], isForSpreadsheets: boolean): string =>
  `${cells.map((cell) => quoted(cell, isForSpreadsheets)).join(",")}\r\n`;

type Four = [string, string, string, string];

const quoted = (cell: string, isForSpreadsheets: boolean): string => {
  const safe = isForSpreadsheets && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
