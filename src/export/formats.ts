import { writeCsv } from "./csv.ts";
import { writeHtml } from "./html.ts";
import { writeMarkdown } from "./markdown.ts";
import type { Writer } from "./model.ts";
import { writeOneTab } from "./onetab.ts";
import { writeTodoTxt } from "./todotxt.ts";

/** The formats of other tools, by their names on the command line, with the endings of their files. */
export const EXPORT_FORMATS: Readonly<
  Record<string, { readonly write: Writer; readonly ending: string }>
> = {
  html: { write: writeHtml, ending: "html" },
  csv: { write: writeCsv(false), ending: "csv" },
  markdown: { write: writeMarkdown, ending: "md" },
  onetab: { write: writeOneTab, ending: "txt" },
  todotxt: { write: writeTodoTxt, ending: "txt" },
};

/** The table for a spreadsheet: nothing in it is taken for a formula. */
export const writeSafeCsv = writeCsv(true);
