import type { TaskToImport } from "../domain/tasks/imported.ts";
import type { Skipped } from "./tab.ts";

/** The browser group, or the window, that a link was in. Links of one `id` are together. */
export type LinkGroup = {
  readonly id: string;
  /** Empty if it has no name. */
  readonly title: string;
  readonly colour: string | null;
};

/** A link as a file has it, before the rules of an import are applied. */
export type Link = {
  readonly address: unknown;
  readonly title: unknown;
  readonly pinned?: boolean;
  readonly window?: LinkGroup | null;
  readonly group?: LinkGroup | null;
  /** When it was saved, as the file says it: see `readDate`. */
  readonly date?: unknown;
  /** Words of the person's own about the link. */
  readonly note?: string;
  readonly tags?: readonly string[];
};

/** What a file has that becomes one task, before the rules of an import are applied. */
export type Entry = {
  /** The name of its folder; null for the one that is named after the tool. */
  readonly folder: string | null;
  /** Empty if it has none: then the first tab's title is used. */
  readonly title: string;
  readonly links: readonly Link[];
  readonly status?: string;
  /** A date (`2026-01-31`), or null. */
  readonly due?: string | null;
  readonly colour?: string | null;
  readonly tags?: readonly string[];
  /** The source's own notes. They come before those of links. */
  readonly notes?: readonly string[];
  /** What the tool itself knows it by, so that a second import finds it. */
  readonly key?: string;
  /** Whether it is a task without tabs and notes too: a to-do. */
  readonly isTodo?: boolean;
};

/** What a parser returns: the entries in the order in which the tasks are to be. */
export type Parsed = {
  readonly format: string;
  /** The name of the folder for what has none. */
  readonly tool: string;
  readonly entries: readonly Entry[];
  readonly skipped: readonly Skipped[];
};

/** A file as text, with its JSON if it is JSON. `name` is its name without folders. */
export type SourceFile = {
  readonly name: string;
  readonly text: string;
  readonly json?: unknown;
  /** Whether sessions that the tool saved by itself are read too. */
  readonly isAll?: boolean;
};

/** Reads a file, if it is of the parser's format. Else returns null. */
export type Parser = (file: SourceFile) => Parsed | null;

/** A task as it will be made. */
export type ImportedTask = TaskToImport & {
  /** The name of its folder. */
  readonly folder: string;
  /** Names it among the tasks from the same source: a later import of the same thing has the same. */
  readonly key: string;
};

/** What an import of a file makes, and what it leaves out. */
export type Import = {
  readonly format: string;
  readonly tasks: readonly ImportedTask[];
  readonly skipped: readonly Skipped[];
};

/** Windows as groups, from their names: those without one are numbered. */
export const windowsOf = (names: readonly string[]): readonly LinkGroup[] =>
  names.map((name, at) => ({
    id: name.trim() === "" ? `${at}` : name,
    title: name.trim() === "" ? `Window ${at + 1}` : name,
    colour: null,
  }));

/** Something that an import leaves out, and why, in a word or a sentence. */
export type LeftOut = { readonly what: string; readonly reason: string };

/** Why nothing can be made of a file: it is of no known format, ends early or is damaged, or holds nothing, or too much. */
export type Unreadable = { readonly error: "broken" | "empty" | "too_much" | "unrecognised" };

/** The same for people. */
export const WHY_UNREADABLE: Readonly<Record<Unreadable["error"], string>> = {
  broken: "The file ends early or is damaged. Export it once more.",
  empty: "There is nothing in the file.",
  too_much: "The file holds more than a million links and tasks. Split it.",
  unrecognised:
    "This is no format that Docket knows. Export bookmarks as HTML, or links as a table (CSV) or as plain text.",
};
