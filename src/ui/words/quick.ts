import { MAX_TAG } from "../../domain/tasks/task.ts";

/** What a title that is typed ends with: "Buy milk tomorrow #errands". */
export type Quick = {
  /** The title without it. */
  readonly title: string;
  readonly due: Found | null;
  readonly tags: readonly string[];
  /** The words at the very end that were understood; null if there are none. */
  readonly last: string | null;
};

type Found = { readonly day: string; readonly words: string };

/** Finds the day at the end of a text, and where its words begin. */
type DayAtEnd = (text: string) => { readonly day: string; readonly from: number } | null;

const TAG = /\s#([\p{L}\p{N}_-]*\p{L}[\p{L}\p{N}_-]*)$/u;

/**
 * Reads the day and the tags at the end of a title, in any order. A title of several lines has none. `refused` are words that
 * the person wants to keep as they are.
 */
export const readQuick = (
  text: string,
  dayAtEnd: DayAtEnd | null,
  refused: readonly string[],
): Quick => {
  const tags: string[] = [];
  let [title, due, last] = [text.trimEnd(), null as Found | null, null as string | null];
  while (!/[\r\n]/.test(text)) {
    const tag = TAG.exec(title);
    const day = due === null ? dayAtEnd?.(title) : null;
    const from = tag?.index ?? day?.from ?? 0;
    const [before, words] = [title.slice(0, from).trimEnd(), title.slice(from).trim()];
    if (before === "" || refused.includes(words)) break;
    if (tag?.[1] !== undefined) {
      if (tag[1].length > MAX_TAG) break;
      tags.unshift(tag[1]);
    } else if (day) due = { day: day.day, words };
    last ??= words;
    title = before;
  }
  return { title, due, tags, last };
};
