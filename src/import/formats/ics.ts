import { readDue } from "../dates.ts";
import type { Entry, Parser } from "../model.ts";
import { withPlainEnds } from "../text.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

/** A property of a calendar's component: its name, its parameters as they are written, its value. */
type Property = { readonly name: string; readonly value: string };

/** Reads the to-dos of a calendar (RFC 5545, VTODO). Events are no tasks. */
export const readIcs: Parser = ({ text }) => {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text)) return null;
  const lines = withPlainEnds(text)
    .replaceAll(/\n[ \t]/g, "")
    .split("\n");
  const todos: Property[][] = [];
  let calendar = "";
  let open: Property[] | null = null;
  for (const line of lines) {
    const [, name = "", value = ""] = /^([\w-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/.exec(line) ?? [];
    const property = { name: name.toUpperCase(), value: plain(value) };
    if (/^BEGIN:VTODO$/i.test(line.trim())) {
      open = [];
      todos.push(open);
    } else if (/^END:VTODO$/i.test(line.trim())) open = null;
    else if (open) open.push(property);
    else if (property.name === "X-WR-CALNAME") calendar = property.value;
  }
  const tool = calendar.trim() === "" ? "Calendar" : calendar;
  return { format: "ics", tool, entries: todos.map(entryOf), skipped: [] };
};

/** Reads what a text escapes (RFC 5545, 3.3.11). */
const plain = (value: string): string =>
  value.replaceAll(/\\([nN;,\\])/g, (_, sign: string) => (/n/i.test(sign) ? "\n" : sign));

const STATUSES: Readonly<Record<string, string>> = {
  COMPLETED: "done",
  CANCELLED: "cancelled",
  "IN-PROCESS": "in_progress",
};

const entryOf = (properties: readonly Property[]): Entry => {
  const all = (name: string): readonly string[] =>
    properties.filter((one) => one.name === name).map(({ value }) => value);
  const one = (name: string): string => all(name)[0] ?? "";
  const [words, about, date] = [one("SUMMARY"), one("DESCRIPTION"), one("DUE")];
  const { due } = readDue(date.replace(/^(\d{4})(\d\d)(\d\d).*$/, "$1-$2-$3"));
  const rank = Number(one("PRIORITY"));
  const priority = rank >= 1 && rank <= 4 ? "p1" : rank === 5 ? "p2" : rank >= 6 ? "p3" : "";
  const isDay = date === "" || (due !== null && /^\d{8}$/.test(date));
  const repeated = one("RRULE");
  return {
    folder: null,
    title: withoutMarkdown(words) || "Untitled",
    status: STATUSES[one("STATUS").toUpperCase()] ?? "todo",
    due,
    tags: [...all("CATEGORIES").flatMap((tags) => tags.split(",")), priority],
    notes: [about, isDay ? "" : `Due: ${date}`, repeated === "" ? "" : `Repeats: ${repeated}`],
    links: linksOf([words, about, one("URL")]),
    isTodo: true,
    ...(one("UID") === "" ? {} : { key: one("UID") }),
  };
};
