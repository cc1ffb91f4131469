import { PER_CHILD } from "../../client/rank.ts";
import { finish } from "../../import/finish.ts";
import { readOneTab } from "../../import/formats/onetab.ts";
import { unescapedMarkdown } from "../../domain/base/markdown.ts";
import { type Link, splitLinks } from "./links.ts";

/** A task that was typed or pasted, before it is made. */
export type Draft = {
  readonly title: string;
  readonly links: readonly Link[];
  readonly notes: readonly string[];
  /** Other than to do. */
  readonly status?: "cancelled" | "done";
};

type Pasted = {
  readonly drafts: readonly Draft[];
  /** What of the text becomes a task each. */
  readonly unit: "group" | "line";
  /** How many addresses are left out, because no browser opens them from a web page. */
  readonly leftOut: number;
};

export const draftsOf = (text: string): readonly Draft[] => readPasted(text).drafts;

/** Returns all links in a text, in their order. */
export const linksIn = (text: string): readonly Link[] =>
  draftsOf(text).flatMap(({ links }) => links);

/**
 * Returns the tasks in a text. A list of OneTab's has one for each group. Else one line is one task, and its links
 * become tabs. Of several lines, each with words of its own is a task. Lines of links alone belong to the task above,
 * and make one of their own where an empty line parts them from links above. Lines that start with `>` are notes.
 */
export const readPasted = (text: string): Pasted => {
  const parsed = readOneTab({ name: "", text });
  const list = parsed && finish(parsed);
  // Words between the tabs are tasks here, and nothing that may be left out.
  if (!list || list.tasks.length === 0 || list.skipped.some(({ reason }) => reason === "text"))
    return { drafts: lineDrafts(text).flatMap(inParts), unit: "line", leftOut: 0 };
  const drafts = list.tasks.map(({ title, tabs }) => ({
    title,
    links: tabs.map(({ url, title: own }) => ({ url, title: own })),
    notes: [],
  }));
  const lost = list.skipped.filter(({ reason }) => !NOT_LOST.includes(reason));
  return { drafts: drafts.flatMap(inParts), unit: "group", leftOut: lost.length };
};

const NOT_LOST = ["duplicate", "empty_group"];

/** What lists put in front of a line. */
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:📌\s*)?/u;

/** What Markdown puts in front of a task. */
const CHECKBOX = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\[([ xX-]?)\]\s+/;

const HEADING = /^#{1,6}\s+/;

const NOTE = /^\s*>\s?([^]*)$/;

/** A task whose lines are still being read. */
type Open = Draft & { readonly links: Link[]; readonly notes: string[] };

const lineDrafts = (text: string): readonly Draft[] => {
  const drafts: Open[] = [];
  const lines = text.split(/\r\n?|\n/);
  const isList = lines.filter((line) => line.trim() !== "").length > 1;
  let above: "links" | "note" | "task" | null = null;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const isApart = lines[at - 1]?.trim() === "";
    const last = drafts.at(-1);
    const note = NOTE.exec(line)?.[1];
    if (last && note !== undefined) {
      const earlier = above === "note" && !isApart ? last.notes.pop() : undefined;
      last.notes.push(earlier === undefined ? note : `${earlier}\n${note}`);
      above = "note";
      continue;
    }
    const draft = draftIn(line, isList);
    const isOfLast = draft.title === "" && !(isApart && above === "links");
    if (last && isOfLast) last.links.push(...draft.links);
    else drafts.push(draft);
    above = draft.title === "" ? "links" : "task";
  }
  return titledBelow(drafts);
};

const draftIn = (line: string, isList: boolean): Open => {
  const [box, mark = ""] = CHECKBOX.exec(line) ?? [];
  if (box !== undefined) {
    const { title, links } = splitLinks(line.slice(box.length));
    const status = STATUSES[mark.toLowerCase()];
    return {
      title: unescapedMarkdown(title),
      links: [...links],
      notes: [],
      ...(status && { status }),
    };
  }
  const bare = splitLinks(line.replace(BULLET, "").replace(isList ? HEADING : "", ""));
  // In a single line of words, "2. Draft" may well be the title.
  const { title, links } = isList || bare.title === "" ? bare : splitLinks(line);
  return { title, links: [...links], notes: [] };
};

const STATUSES: Readonly<Record<string, "cancelled" | "done">> = { x: "done", "-": "cancelled" };

/** Links first, and one line of words below: that is the title of them all. */
const titledBelow = (drafts: readonly Draft[]): readonly Draft[] => {
  const [first, second] = drafts;
  return first?.title === "" && second !== undefined && second.title !== "" && drafts.length === 2
    ? [{ ...second, links: [...first.links, ...second.links] }]
    : drafts;
};

/** What one task takes of a long list: tabs, and bytes of them. */
const PART = { tabs: 500, bytes: 768 * 1024 };

/** A task of more links than one takes goes on in tasks below it: "Title (2)", "Title (3)". */
const inParts = (draft: Draft): readonly Draft[] => {
  const parts: Link[][] = [[]];
  let bytes = 0;
  for (const link of draft.links) {
    const size = new TextEncoder().encode(JSON.stringify(link)).length + PER_CHILD;
    const isFull = parts.at(-1)?.length === PART.tabs || bytes + size > PART.bytes;
    if (isFull) parts.push([]);
    bytes = isFull ? size : bytes + size;
    parts.at(-1)?.push(link);
  }
  const name = nameOf(draft);
  return parts.map((links, at) =>
    at === 0 ? { ...draft, links } : { title: `${name} (${at + 1})`, links, notes: [] },
  );
};

/** What a task is called: its own words, else its first link. */
export const nameOf = ({ title, links: [first] }: Draft): string =>
  title || first?.title || first?.url || "";
