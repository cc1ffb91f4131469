import { type Link, splitLinks } from "./links.ts";

/** A task that was typed or pasted, before it is made. */
export type Draft = {
  readonly title: string;
  readonly links: readonly Link[];
  readonly notes: readonly string[];
};

/** What lists put in front of a line. */
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]?\]\s+)?/;

/**
 * Returns the tasks in a text. One line is one task, and its links become tabs. Of several lines, each with words of
 * its own is a task; lines of links alone belong to the task above, and so do lines that start with `>`, as its notes.
 */
export const draftsOf = (text: string): readonly Draft[] => {
  const drafts: Draft[] = [];
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  for (const line of lines) {
    const quoted = /^\s*>\s?(.*)$/.exec(line)?.[1];
    const bare = splitLinks(line.replace(BULLET, ""));
    // In a single line of words, "2. Draft" may well be the title.
    const { title, links } = lines.length > 1 || bare.title === "" ? bare : splitLinks(line);
    const last = drafts.at(-1);
    if (last && quoted !== undefined) drafts.splice(-1, 1, withNote(last, quoted));
    else if (last && title === "")
      drafts.splice(-1, 1, { ...last, links: [...last.links, ...links] });
    else drafts.push({ title, links, notes: [] });
  }
  const [first, second] = drafts;
  // Links first, and one line of words below: that is the title of them all.
  return first?.title === "" && second !== undefined && drafts.length === 2
    ? [{ ...second, links: [...first.links, ...second.links] }]
    : drafts;
};

const withNote = (draft: Draft, text: string): Draft => ({
  ...draft,
  notes: [...draft.notes, text],
});
