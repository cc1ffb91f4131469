import { type ImportedTab, readTab, type Skipped, skip } from "./tab.ts";

/** The tabs that were saved at one time. They have no name of their own. */
type Group = {
  /** The first tab's title, with `(+N)` for N more tabs. */
  readonly title: string;
  readonly tabs: readonly ImportedTab[];
};

type OneTab = { readonly groups: readonly Group[]; readonly skipped: readonly Skipped[] };

const LINE = /^([a-z][a-z0-9+.-]*:\S+) \| ([^]*)$/i;

/**
 * Reads OneTab's export: a line `ADDRESS | TITLE` for each tab, and an empty line after each group. A title may be
 * missing. Returns null for a text that is no such list.
 */
export const readOneTab = (text: string): OneTab | null => {
  const lines = text.split(/\r\n|\n\r|\n|\r/).map((line) => line.trim());
  if (!lines.some((line) => LINE.test(line)) || lines.some(isMarkdown)) return null;
  const groups: Group[] = [];
  const skipped: Skipped[] = [];
  for (const block of blocksOf(lines)) {
    const { tabs, left } = readGroup(block);
    skipped.push(...left);
    if (tabs.length > 0) groups.push({ title: titleOf(tabs), tabs });
    else skipped.push(skip("", "empty_group"));
  }
  return { groups, skipped };
};

/** Whether a line begins like a heading or an item of a list. */
const isMarkdown = (line: string): boolean => /^(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s/.test(line);

const blocksOf = (lines: readonly string[]): readonly (readonly string[])[] => {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line === "") blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
};

const readGroup = (block: readonly string[]) => {
  const tabs = new Map<string, ImportedTab>();
  const left: Skipped[] = [];
  for (const line of block) {
    const tab = readLine(line);
    if ("reason" in tab) left.push(tab);
    else if (tabs.has(tab.url)) left.push(skip(tab.url, "duplicate"));
    else tabs.set(tab.url, tab);
  }
  return { tabs: [...tabs.values()], left };
};

const readLine = (line: string): ImportedTab | Skipped => {
  const [, address, title = ""] = LINE.exec(line) ?? [];
  if (address !== undefined) return readTab(address, title);
  const [, bare, words = ""] = /^(https?:\S*)([^]*)$/i.exec(line) ?? [];
  return bare === undefined
    ? skip(line, "text")
    : readTab(bare, words.replaceAll(/^[ |]+|[ |]+$/g, ""));
};

const titleOf = ([first, ...more]: readonly ImportedTab[]): string =>
  `${first?.title ?? ""}${more.length === 0 ? "" : ` (+${more.length})`}`;
