import type { Entry, Link } from "./model.ts";
import { readTab, type Skipped, skip } from "./tab.ts";
import { textOf } from "./text.ts";

/** A link that has a state of its own in its tool, or a to-do beside such links. */
export type Item = {
  readonly folder: string | null;
  readonly title: string;
  readonly status: string;
  readonly due?: string | null;
  readonly tags: readonly string[];
  readonly notes: readonly string[];
  readonly links: readonly Link[];
  /** Whether it is made without a tab too. */
  readonly isTodo?: boolean;
  readonly key?: string;
};

/**
 * Links with a state as tasks, one each. Of those with the same address, the first is made; the tags and notes of the
 * others go to it.
 */
export const entriesOfItems = (
  items: readonly Item[],
): { readonly entries: readonly Entry[]; readonly skipped: readonly Skipped[] } => {
  type Growing = Entry & { readonly tags: string[]; readonly notes: string[] };
  const skipped: Skipped[] = [];
  const entries: Growing[] = [];
  const firsts = new Map<string, Growing>();
  for (const { isTodo = false, tags, notes, key, ...item } of items) {
    const [link] = item.links;
    const tab = link && readTab(textOf(link.address), textOf(link.title));
    if (!isTodo && (!tab || "reason" in tab)) {
      const what = tab?.what || textOf(link?.title) || item.title;
      skipped.push(skip(what, tab?.reason ?? "empty"));
      continue;
    }
    const url = isTodo || !tab || "reason" in tab ? null : tab.url;
    const first = url === null ? undefined : firsts.get(url);
    if (first && url !== null) {
      first.tags.push(...tags);
      first.notes.push(...notes);
      skipped.push(skip(url, "duplicate", first.title || url));
      continue;
    }
    const known = key ?? url;
    const entry: Growing = {
      ...item,
      tags: [...tags],
      notes: [...notes],
      ...(isTodo ? { isTodo } : {}),
      ...(known === null ? {} : { key: known }),
    };
    entries.push(entry);
    if (url !== null) firsts.set(url, entry);
  }
  return { entries, skipped };
};
