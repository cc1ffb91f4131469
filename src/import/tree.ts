import type { Entry, Link } from "./model.ts";
import { readTab, type Skipped, skip } from "./tab.ts";
import { oneLine, textOf } from "./text.ts";
import { MAX_NAME } from "../domain/tasks/folder.ts";

/** A folder of links in a file, with its folders. The outermost one has no name. */
export type Folder = {
  readonly name: string;
  readonly links: readonly Link[];
  readonly folders: readonly Folder[];
  /** Its own words, colour and tags. */
  readonly notes?: readonly string[];
  readonly colour?: string | null;
  readonly tags?: readonly string[];
  /** To-dos that are in it, before its links. */
  readonly todos?: readonly Entry[];
};

/**
 * Folders of links as tasks: the own links of each make a task of its name. It is in the folder of that path if there are
 * links further down, else in the one above it. The links of the outermost one make a task named after the tool.
 */
export const entriesOf = (
  top: Folder,
  tool: string,
): { readonly entries: readonly Entry[]; readonly skipped: readonly Skipped[] } => {
  const skipped: Skipped[] = [];
  const entries: Entry[] = [];
  const walk = (folder: Folder, path: readonly string[]): void => {
    const { name, links, folders, notes = [], todos = [], colour = null, tags = [] } = folder;
    const place = folders.some(holdsLinks) || todos.length > 0 ? path : path.slice(0, -1);
    const entry = { title: name || tool, links, notes, colour, tags, folder: pathName(place) };
    entries.push(...todos);
    if (links.length > 0 || (notes.length > 0 && path.length > 0)) entries.push(entry);
    else if (folders.length === 0 && todos.length === 0 && path.length > 0)
      skipped.push(skip(name, "empty_group"));
    for (const one of folders) walk(one, [...path, one.name]);
  };
  walk(merged(top), []);
  return { entries, skipped };
};

/** The name of a path of folders; null for none. */
export const pathName = (path: readonly string[]): string | null =>
  path.length === 0 ? null : path.join(" / ");

const holdsLinks = ({ links, folders, todos = [] }: Folder): boolean =>
  todos.length > 0 || links.some(isUsable) || folders.some(holdsLinks);

const isUsable = ({ address, title }: Link): boolean =>
  !("reason" in readTab(textOf(address), textOf(title)));

/** Folders of the same path are one. */
const merged = (folder: Folder): Folder => {
  const groups = Map.groupBy(folder.folders, ({ name }) => oneLine(name, MAX_NAME));
  return {
    ...folder,
    folders: [...groups].map(([name, same]) =>
      merged({
        name: name || "Untitled",
        links: same.flatMap(({ links }) => links),
        folders: same.flatMap(({ folders }) => folders),
        notes: same.flatMap(({ notes = [] }) => notes),
        tags: same.flatMap(({ tags = [] }) => tags),
        todos: same.flatMap(({ todos = [] }) => todos),
        colour: same.find(({ colour }) => colour)?.colour ?? null,
      }),
    ),
  };
};

type Growing = {
  readonly name: string;
  readonly links: Link[];
  readonly folders: Map<string, Growing>;
};

const grow = (name: string): Growing => ({ name, links: [], folders: new Map() });

const settled = ({ name, links, folders }: Growing): Folder => ({
  name,
  links,
  folders: [...folders.values()].map(settled),
});

/** Builds the tree of links that each name a path of folders, in the order in which these first come. */
export const treeOf = (
  links: readonly { readonly path: readonly string[]; readonly link: Link }[],
): Folder => {
  const top = grow("");
  for (const { path, link } of links) {
    let folder = top;
    for (const name of path) {
      const next = folder.folders.get(name) ?? grow(name);
      folder.folders.set(name, next);
      folder = next;
    }
    folder.links.push(link);
  }
  return settled(top);
};
