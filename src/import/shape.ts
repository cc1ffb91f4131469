import type { Entry, ImportedTask, Parsed } from "./model.ts";
import { textOf } from "./text.ts";

/** Whether links become tabs of a task for each folder, or a task each. */
export type LinksAs = "tabs" | "tasks";

/** Reads what a person has chosen; null for anything else. */
export const readLinksAs = (value: unknown): LinksAs | null =>
  value === "tabs" || value === "tasks" ? value : null;

/** How to read a file, where a person wants it otherwise. */
export type Shape = {
  /** Null: as suits the format. */
  readonly links: LinksAs | null;
  /** Whether sessions that the tool saved by itself are read too. */
  readonly isAll: boolean;
};

export const AS_USUAL: Shape = { links: null, isAll: false };

/** Puts links into tasks as a person wants them. To-dos stay as they are. */
export const shaped = (parsed: Parsed, { links }: Shape): Parsed => {
  if (links === null) return parsed;
  const entries = links === "tasks" ? parsed.entries.flatMap(eachAsTask) : asTabs(parsed.entries);
  return { ...parsed, entries };
};

/** The links of a task as tasks, in a folder of its name. */
const eachAsTask = (entry: Entry): readonly Entry[] => {
  const { folder, title, links, tags = [], isTodo = false } = entry;
  if (isTodo || links.length < 2) return [entry];
  const own =
    title === "" ? folder : folder === null || folder === title ? title : `${folder} / ${title}`;
  return links.map(({ note = "", tags: of = [], ...link }) => ({
    folder: own,
    title: textOf(link.title),
    links: [link],
    tags: [...tags, ...of],
    notes: note === "" ? [] : [note],
    key: textOf(link.address),
  }));
};

const isLink = ({ links, isTodo = false }: Entry): boolean => links.length === 1 && !isTodo;

/** Links that are a task each become the tabs of one task for each folder. */
const asTabs = (entries: readonly Entry[]): readonly Entry[] => {
  const groups = Map.groupBy(entries.filter(isLink), ({ folder }) => folder);
  const joined = [...groups].map(([folder, all]): Entry => ({
    folder,
    title: folder ?? "",
    links: all.flatMap(({ links, notes = [], tags = [] }) =>
      links.map((link) => ({
        ...link,
        note: [link.note ?? "", ...notes].filter((text) => text !== "").join("\n\n"),
        tags: [...(link.tags ?? []), ...tags],
      })),
    ),
  }));
  return [...entries.filter((entry) => !isLink(entry)), ...joined];
};

/** The same tasks, all in one folder. */
export const inFolder = (tasks: readonly ImportedTask[], folder: string): readonly ImportedTask[] =>
  tasks.map((task) => ({ ...task, folder }));
