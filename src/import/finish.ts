import { onOneLine } from "../domain/base/text.ts";
import type { TabToImport } from "../domain/tasks/imported.ts";
import { eachOnce, tagKey } from "../domain/tasks/tags.ts";
import {
  DEFAULT_STATUS,
  inNotes,
  MAX_COLOUR,
  MAX_TAG,
  MAX_TAGS,
  MAX_TITLE,
} from "../domain/tasks/task.ts";
import { MAX_NAME } from "../domain/tasks/folder.ts";
import { readDate } from "./dates.ts";
import type { Entry, Import, ImportedTask, Link, LinkGroup, Parsed } from "./model.ts";
import { readTab, type Skipped, skip } from "./tab.ts";
import { cut, noteText, oneLine, textOf } from "./text.ts";

/** Applies the rules that all formats share: addresses, duplicates, groups, tags, notes, lengths. */
export const finish = ({ format, tool, entries, skipped }: Parsed): Import => {
  const done = entries.map((entry) => finishEntry(entry, tool));
  const tasks = done.flatMap(({ task }) => task ?? []);
  return {
    format,
    tasks: numbered(tasks),
    skipped: [...skipped, ...done.flatMap((one) => one.skipped)],
  };
};

/** Tasks of one file that have the same key are told apart by a number. */
const numbered = (tasks: readonly ImportedTask[]): readonly ImportedTask[] => {
  const counts = new Map<string, number>();
  return tasks.map((task) => {
    const count = (counts.get(task.key) ?? 0) + 1;
    counts.set(task.key, count);
    return count === 1 ? task : { ...task, key: `${task.key}\n${count}` };
  });
};

type Finished = { readonly task: ImportedTask | null; readonly skipped: readonly Skipped[] };

const finishEntry = (entry: Entry, tool: string): Finished => {
  const name = oneLine(entry.title, MAX_TITLE);
  const { kept, skipped } = readLinks(entry.links, name);
  const notes = [...(entry.notes ?? []).map(noteText), ...kept.flatMap(({ notes: own }) => own)]
    .filter((note) => note !== "")
    .flatMap(inNotes);
  if (kept.length === 0 && notes.length === 0 && entry.isTodo !== true)
    return { task: null, skipped: [...skipped, skip(name, "empty_group")] };
  const title = name === "" ? titleOf(kept) : name;
  const tags = readTags([...(entry.tags ?? []), ...kept.flatMap((one) => one.tags)]);
  const { groups, places } = groupsOf(kept);
  const folder = oneLine(entry.folder ?? tool, MAX_NAME) || oneLine(tool, MAX_NAME);
  const colour = oneLine(entry.colour, MAX_COLOUR);
  const key = entry.key ?? (name === "" ? (kept[0]?.tab.url ?? "") : `${folder}\n${name}`);
  return {
    task: {
      folder,
      title,
      status: entry.status ?? DEFAULT_STATUS,
      due: entry.due ?? null,
      colour: colour === "" ? null : colour,
      tags: tags.slice(0, MAX_TAGS),
      groups,
      tabs: kept.map(({ tab, pinned, addedAt }, at) => ({
        ...tab,
        pinned,
        group: places[at] ?? null,
        addedAt,
      })),
      notes,
      key,
    },
    skipped: [...skipped, ...tags.slice(MAX_TAGS).map((tag) => skip(tag, "tag", title))],
  };
};

/** A link that becomes a tab, and what comes with it. */
type Kept = Pick<TabToImport, "addedAt" | "pinned"> & {
  readonly tab: { readonly url: string; readonly title: string };
  readonly window: LinkGroup | null;
  readonly group: LinkGroup | null;
  readonly tags: string[];
  readonly notes: string[];
};

/** Of links with the same address, the first stays; the tags and words of the others go to it. */
const readLinks = (links: readonly Link[], within: string) => {
  const kept = new Map<string, Kept>();
  const skipped: Skipped[] = [];
  for (const link of links) {
    const tab = readTab(textOf(link.address), textOf(link.title));
    if ("reason" in tab) {
      skipped.push(skip(tab.what === "" ? textOf(link.title) : tab.what, tab.reason, within));
      continue;
    }
    const first = kept.get(tab.url);
    if (first) skipped.push(skip(tab.url, "duplicate", within));
    const one = first ?? keptOf(link, tab);
    if (!first) kept.set(tab.url, one);
    one.tags.push(...(link.tags ?? []));
    const note = linkNote(one.tab, link);
    if (note !== null) one.notes.push(note);
  }
  return { kept: [...kept.values()], skipped };
};

const keptOf = (link: Link, tab: Kept["tab"]): Kept => ({
  tab,
  pinned: link.pinned === true,
  addedAt: readDate(link.date),
  window: link.window ?? null,
  group: link.group ?? null,
  tags: [],
  notes: [],
});

/** The note of a task that holds a person's words about one of its tabs; null if there are none. */
const linkNote = ({ title, url }: Kept["tab"], { note, tags = [] }: Link): string | null => {
  const words = noteText(note);
  if (words === "") return null;
  const own = readTags(tags).map((tag) => `#${tag}`);
  return [`${title}\n${url}`, words, ...(own.length > 0 ? [own.join(" ")] : [])].join("\n\n");
};

/** Tags without a leading `#`, cut, each once. */
const readTags = (tags: readonly unknown[]): readonly string[] =>
  eachOnce(tags.map((tag) => oneLine(onOneLine(textOf(tag)).replace(/^#/, ""), MAX_TAG))).filter(
    (tag) => tagKey(tag) !== "",
  );

const titleOf = (kept: readonly Kept[]): string => {
  const [first, ...more] = kept;
  if (!first) return "Untitled";
  const rest = more.length === 0 ? "" : ` (+${more.length})`;
  return `${cut(first.tab.title, MAX_TITLE - rest.length)}${rest}`;
};

/**
 * The groups of a task's tabs, in the order in which they are first used, and the place of each tab's. A tab that is in no
 * browser group is in its window's, if there is more than one window.
 */
const groupsOf = (kept: readonly Kept[]) => {
  const windows = new Set(kept.flatMap(({ window }) => window?.id ?? []));
  const groups: { title: string; colour: string | null }[] = [];
  const known = new Map<string, number>();
  let unnamed = 0;
  const placeOf = (name: string, title: () => string, colour: string | null): number => {
    const place = known.get(name) ?? groups.length;
    if (place === groups.length) {
      known.set(name, place);
      groups.push({ title: title(), colour });
    }
    return place;
  };
  const places = kept.map(({ window, group }) => {
    if (group)
      return placeOf(
        `group ${group.id}`,
        () => oneLine(group.title, MAX_TITLE) || `Group ${(unnamed += 1)}`,
        group.colour,
      );
    if (!window || windows.size < 2) return null;
    const title = oneLine(window.title, MAX_TITLE);
    return placeOf(`window ${title}`, () => title, null);
  });
  return { groups, places };
};
