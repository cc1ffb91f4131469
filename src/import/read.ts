import { unzipSync } from "fflate";
import { decodeText } from "./decode.ts";
import { finish } from "./finish.ts";
import { readCsv } from "./formats/csv.ts";
import { readFirefoxJson } from "./formats/firefox-json.ts";
import { readHtml } from "./formats/html.ts";
import { readIcs } from "./formats/ics.ts";
import { readKarakeep } from "./formats/karakeep.ts";
import { readLines } from "./formats/lines.ts";
import { readLinkwarden } from "./formats/linkwarden.ts";
import { readOmnivore } from "./formats/omnivore.ts";
import { readOneTab } from "./formats/onetab.ts";
import { readPocket } from "./formats/pocket.ts";
import { readRaindrop } from "./formats/raindrop.ts";
import { readSessionBuddy } from "./formats/session-buddy.ts";
import { readSidebery } from "./formats/sidebery.ts";
import { readSimpleTabGroups } from "./formats/simple-tab-groups.ts";
import { readSuperProductivity } from "./formats/super-productivity.ts";
import { readTabSessionManager } from "./formats/tab-session-manager.ts";
import { readTabsOutliner } from "./formats/tabs-outliner.ts";
import { readTaskwarrior } from "./formats/taskwarrior.ts";
import { readTickTick } from "./formats/ticktick.ts";
import { readTodoTxt } from "./formats/todotxt.ts";
import { readToby } from "./formats/toby.ts";
import { readTodoist } from "./formats/todoist.ts";
import { readTrello } from "./formats/trello.ts";
import { readVikunja } from "./formats/vikunja.ts";
import { readWorkona } from "./formats/workona.ts";
import type { Import, Parsed, Parser, SourceFile, Unreadable } from "./model.ts";
import { AS_USUAL, type Shape, shaped } from "./shape.ts";

/** The formats that are JSON, by whose keys they are told apart. */
const JSON_FORMATS: readonly Parser[] = [
  readSessionBuddy,
  readTabSessionManager,
  readSidebery,
  readToby,
  readSimpleTabGroups,
  readFirefoxJson,
  readKarakeep,
  readLinkwarden,
  readTrello,
  readWorkona,
  readTaskwarrior,
  readOmnivore,
  readVikunja,
  readSuperProductivity,
  readTabsOutliner,
];

/** The others, in the order in which they are tried. */
const TEXT_FORMATS: readonly Parser[] = [
  readIcs,
  readHtml,
  readTodoist,
  readTickTick,
  readPocket,
  readRaindrop,
  readCsv,
  readOneTab,
  readTodoTxt,
  readLines,
];

/** All that an archive may hold when unpacked, in bytes. */
const MOST_UNPACKED = 512 * 1024 * 1024;

/**
 * Reads a file of another tool. What it is, its content says, never its name: that only names the folder of a project or
 * list that has no other. Nothing is fetched.
 */
export const readImport = (
  name: string,
  bytes: Uint8Array,
  shape: Shape = AS_USUAL,
): Import | Unreadable => {
  const { isAll } = shape;
  try {
    const parsed = isZip(bytes)
      ? readZip(bytes, isAll)
      : parse({ name, text: plain(decodeText(bytes)), isAll });
    return "error" in parsed ? parsed : finish(shaped(parsed, shape));
  } catch {
    // Quotes or an archive that do not end, or something nested deeper than a program can follow.
    return { error: "broken" };
  }
};

const plain = (text: string): string => text.replace(/^\uFEFF/, "");

const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

const parse = ({ name, text, isAll = false }: SourceFile): Parsed | Unreadable => {
  if (text.trim() === "") return { error: "empty" };
  const isJson = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[{[\]]|$))/.test(text);
  const json = isJson ? jsonIn(text) : undefined;
  if (Array.isArray(json) && json.length === 0) return { error: "empty" };
  for (const read of isJson ? JSON_FORMATS : TEXT_FORMATS) {
    const parsed = read({ name, text, json, isAll });
    if (parsed)
      return parsed.entries.length + parsed.skipped.length === 0 ? { error: "empty" } : parsed;
  }
  return { error: "unrecognised" };
};

/** Some tools write an object a line instead of a list. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length < 2 || !lines.every((line) => /^\{.*\}\s*$/.test(line))) throw error;
    return lines.map((line): unknown => JSON.parse(line));
  }
};

/** An archive of tables: a backup of Todoist, with one for each project, or Pocket's parts. */
const readZip = (bytes: Uint8Array, isAll: boolean): Parsed | Unreadable => {
  let size = 0;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(?:csv|html?|json|txt|md)$/i.test(name)) return false;
      size += originalSize;
      if (size > MOST_UNPACKED) throw new Error("The archive holds too much.");
      return true;
    },
  });
  const parts = Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, content]) => ({
      name: path.replace(/^.*[\\/]/, ""),
      text: plain(decodeText(content)),
      isAll,
    }));
  const read = parts.map(parse).filter((part): part is Parsed => !("error" in part));
  const [first] = read;
  if (!first) return { error: parts.length === 0 ? "empty" : "unrecognised" };
  const same = read.filter(({ format }) => format === first.format);
  return {
    ...first,
    entries: same.flatMap(({ entries, tool }) =>
      entries.map((entry) => ({ ...entry, folder: entry.folder ?? tool })),
    ),
    skipped: same.flatMap(({ skipped }) => skipped),
  };
};
