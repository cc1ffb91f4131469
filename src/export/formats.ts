import { writeCsv } from "./csv.ts";
import { writeHtml } from "./html.ts";
import { writeMarkdown } from "./markdown.ts";
import type { Writer } from "./model.ts";
import { writeOneTab } from "./onetab.ts";
import { writeTodoTxt } from "./todotxt.ts";

/** A format of another tool, with the ending and the media type of its files. */
type ExportFormat = { readonly write: Writer; readonly ending: string; readonly type: string };

/** The formats of other tools, by their names on the command line. */
export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  html: { write: writeHtml, ending: "html", type: "text/html;charset=utf-8" },
  csv: { write: writeCsv(false), ending: "csv", type: "text/csv;charset=utf-8" },
  markdown: { write: writeMarkdown, ending: "md", type: "text/markdown;charset=utf-8" },
  onetab: { write: writeOneTab, ending: "txt", type: "text/plain;charset=utf-8" },
  todotxt: { write: writeTodoTxt, ending: "txt", type: "text/plain;charset=utf-8" },
};

/** The table for a spreadsheet: nothing in it is taken for a formula. */
export const writeSafeCsv = writeCsv(true);
