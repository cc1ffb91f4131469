import { unescapedMarkdown } from "../../domain/base/markdown.ts";
import { onOneLine } from "../../domain/base/text.ts";
import type { Entry, Link, Parser } from "../model.ts";
import { skip, type Skipped } from "../tab.ts";
import { withPlainEnds } from "../text.ts";
import { entriesOf, type Folder, pathName } from "../tree.ts";
import { linksIn, linksOf, withoutMarkdown } from "../words.ts";

/** What stands under one heading, or between two empty lines where there are none. */
type Group = {
  readonly title: string;
  readonly level: number;
  readonly path: readonly string[];
  readonly links: Link[];
  readonly words: string[];
  readonly todos: Entry[];
  readonly groups: Group[];
};

const HEADING = /^(#{1,6})\s+(.*?)(?:\s+#+)?$/;
const CHECKBOX = /^(?:[-*+•]|\d{1,3}[.)])\s+\[([ xX-])\]\s+(.*)$/;
const QUOTED = /^\s+> ?(.*)$/;
const BULLET = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const STATUSES: Readonly<Record<string, string>> = { x: "done", "-": "cancelled", " ": "todo" };

/** Reads lines with addresses, Markdown's links and checklists. */
export const readLines: Parser = ({ name, text }) => {
  const lines = withPlainEnds(text).split("\n");
  const tool = name.replace(/\.\w+$/, "").trim() || "Links";
  const top = groupOf("", 0, []);
  const hasHeadings = lines.some((line) => HEADING.test(line.trim()));
  if (hasHeadings) readHeadings(lines, top);
  else readBlocks(lines, top);
  if (!hasAny(top)) return null;
  const skipped = wordsLeft(top);
  if (!hasHeadings) {
    const entries = [top, ...top.groups].flatMap(({ links, words, todos }) => [
      ...todos,
      ...(links.length > 0 ? [{ folder: null, title: "", links, notes: noteOf(words) }] : []),
    ]);
    return { format: "text", tool, entries, skipped };
  }
  const found = entriesOf(folderOf(top), tool);
  return { format: "text", tool, entries: found.entries, skipped: [...skipped, ...found.skipped] };
};

const groupOf = (title: string, level: number, path: readonly string[]): Group => ({
  title,
  level,
  path,
  links: [],
  words: [],
  todos: [],
  groups: [],
});

const readHeadings = (lines: readonly string[], top: Group): void => {
  const open: Group[] = [top];
  let reader = readerOf(top);
  for (const line of lines) {
    const [, signs = "", words = ""] = HEADING.exec(line.trim()) ?? [];
    if (signs === "") {
      reader(line);
      continue;
    }
    while ((open.at(-1)?.level ?? 0) >= signs.length) open.pop();
    const above = open.at(-1) ?? top;
    const title = titleIn(words);
    const group = groupOf(title, signs.length, [...above.path, title]);
    above.groups.push(group);
    open.push(group);
    reader = readerOf(group);
  }
};

/** An empty line after a link parts groups. */
const readBlocks = (lines: readonly string[], top: Group): void => {
  let group = top;
  let reader = readerOf(group);
  for (const line of lines) {
    if (line.trim() === "" && group.links.length > 0) {
      group = groupOf("", 0, []);
      top.groups.push(group);
      reader = readerOf(group);
    } else reader(line);
  }
};

/** Returns what takes the next line of a group. */
const readerOf = (group: Group): ((line: string) => void) => {
  let parents: readonly { readonly indent: number; readonly title: string }[] = [];
  let notes: string[] | null = null;
  let isNext = true;
  return (line) => {
    const text = line.trim();
    // A note of a to-do stands below it, line by line behind `>`.
    const [, quoted] = QUOTED.exec(line) ?? [];
    if (quoted !== undefined && notes) {
      if (isNext) notes.push(quoted);
      else notes.push(`${notes.pop() ?? ""}\n${quoted}`);
      isNext = false;
      return;
    }
    isNext = true;
    if (text === "") return;
    const [, mark, words = ""] = CHECKBOX.exec(text) ?? [];
    if (mark !== undefined) {
      const indent = indentOf(line);
      const above = parents.filter((one) => one.indent < indent);
      const own = titleIn(words);
      const title = [...above.slice(-1).map((one) => one.title), own].join(" › ");
      parents = [...above, { indent, title }];
      notes = [];
      group.todos.push({
        folder: pathName(group.path),
        title,
        status: STATUSES[mark.toLowerCase()] ?? "todo",
        links: linksOf([words]),
        notes,
        isTodo: true,
      });
      return;
    }
    notes = null;
    const links = linksInLine(text);
    if (links.length === 0) group.words.push(text.replace(BULLET, ""));
    else {
      group.links.push(...links);
      parents = [];
    }
  };
};

const titleIn = (words: string): string =>
  onOneLine(unescapedMarkdown(withoutMarkdown(words))) || "Untitled";

const indentOf = (line: string): number =>
  (/^\s*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;

/** An address of any scheme, alone or with a title behind it. */
const ALONE =
  /^((?:[a-z][a-z0-9+.-]*:\/\/|(?:about|blob|chrome|data|edge|file|javascript|mailto|place|view-source):)\S+)(?: \| (.*))?$/i;
const ENDS = /^[\s|:–—\-<>"']+|[\s|:–—\-<>"']+$/g;

const linksInLine = (text: string): readonly Link[] => {
  const bare = text.replace(BULLET, "");
  const [, pin = "", line = ""] = /^(📌\s*)?([^]*)$/u.exec(bare) ?? [];
  const pinned = pin !== "";
  const [, address, title = ""] = ALONE.exec(line) ?? [];
  if (address !== undefined) return [{ address, title, pinned }];
  const found = linksIn(line);
  const [only, ...more] = found;
  if (!only) return [];
  if (more.length > 0 || (only.title ?? "") !== "")
    return found.map((one) => ({ address: one.address, title: one.title, pinned }));
  const words = `${line.slice(0, only.at)} ${line.slice(only.end)}`.replaceAll(ENDS, "");
  return [{ address: only.address, title: words, pinned }];
};

const hasAny = ({ links, todos, groups }: Group): boolean =>
  links.length > 0 || todos.length > 0 || groups.some(hasAny);

const noteOf = (words: readonly string[]): readonly string[] =>
  words.length === 0 ? [] : [words.join("\n")];

/** Words under what holds no link and no task are left out. */
const wordsLeft = ({ links, todos, words, groups, path }: Group): readonly Skipped[] => [
  ...(links.length === 0 && (todos.length === 0 || path.length === 0)
    ? words.map((line) => skip(line, "text"))
    : []),
  ...groups.flatMap(wordsLeft),
];

/** Headings of which nothing comes are left out. */
const folderOf = ({ title, links, words, todos, groups }: Group): Folder => ({
  name: title,
  links,
  todos,
  notes: links.length > 0 || todos.length > 0 ? noteOf(words) : [],
  folders: groups.filter(hasAny).map(folderOf),
});
