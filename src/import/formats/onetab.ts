import type { Link, Parser } from "../model.ts";
import { type Skipped, skip } from "../tab.ts";
import { withPlainEnds } from "../text.ts";

const LINE = /^([a-z][a-z0-9+.-]*:\S+) \| ([^]*)$/i;

/**
 * Reads OneTab's export: a line `ADDRESS | TITLE` for each tab, and an empty line after each group. A title may be
 * missing. Groups have no names.
 */
export const readOneTab: Parser = ({ text }) => {
  const lines = withPlainEnds(text)
    .split("\n")
    .map((line) => line.trim());
  if (!lines.some((line) => LINE.test(line)) || lines.some(isMarkdown)) return null;
  const skipped: Skipped[] = [];
  const groups: Link[][] = [[]];
  for (const line of lines) {
    const link = linkIn(line);
    if (link) groups.at(-1)?.push(link);
    else if (line !== "") skipped.push(skip(line, "text"));
    else if (groups.at(-1)?.length !== 0) groups.push([]);
  }
  return {
    format: "onetab",
    tool: "OneTab",
    entries: groups
      .filter((links) => links.length > 0)
      .map((links) => ({ folder: null, title: "", links })),
    skipped,
  };
};

/** Whether a line begins like a heading or an item of a list. */
const isMarkdown = (line: string): boolean => /^(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s/.test(line);

const linkIn = (line: string): Link | null => {
  const [, address, title = ""] = LINE.exec(line) ?? [];
  if (address !== undefined) return { address, title };
  const [, bare, words = ""] = /^(https?:\S*)([^]*)$/i.exec(line) ?? [];
  return bare === undefined
    ? null
    : { address: bare, title: words.replaceAll(/^[ |]+|[ |]+$/g, "") };
};
