import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { type Entry, type Link, type LinkGroup, type Parser, windowsOf } from "../model.ts";
import { skip } from "../tab.ts";
import { textOf } from "../text.ts";

/** A collection or session, whatever the version calls it. */
type Session = {
  readonly title: string;
  readonly id: unknown;
  readonly date: unknown;
  readonly windows: readonly (readonly [title: string, links: readonly unknown[]])[];
  /** What the tool saved by itself, by the name it has in a report. */
  readonly automatic: string | null;
};

/** Reads a backup of Session Buddy: version 4 (`collections`), or an older one (`sessions`). */
export const readSessionBuddy: Parser = ({ json, isAll = false }) => {
  if (!isObject(json)) return null;
  const collections = listField(json, "collections").filter(isObject);
  const sessions = listField(json, "sessions").filter(isObject);
  const isNew = textOf(json["format"]).startsWith("nxs.") || collections.some(hasFolders);
  if (!isNew && !sessions.some(({ windows }) => Array.isArray(windows))) return null;
  const all = [
    ...collections.map(collectionOf),
    ...sessions.map(sessionOf),
    ...listField(json, "history").filter(isObject).map(pastOf),
  ];
  const own = all.filter(({ automatic }) => automatic === null);
  const takesAll = isAll || own.length === 0;
  return {
    format: "session-buddy",
    tool: "Session Buddy",
    entries: (takesAll ? all : own).map(entryOf),
    skipped: takesAll
      ? []
      : all.flatMap(({ automatic }) => (automatic === null ? [] : skip(automatic, "automatic"))),
  };
};

const hasFolders = ({ folders }: Payload): boolean => Array.isArray(folders);

const collectionOf = (one: Payload): Session => ({
  title: textOf(one["title"]),
  id: one["id"],
  date: one["created"],
  windows: listField(one, "folders")
    .filter(isObject)
    .map((folder) => [textOf(folder["title"]), listField(folder, "links")] as const),
  automatic: null,
});

const sessionOf = (one: Payload): Session => ({
  title: textOf(one["name"]),
  id: one["gid"] ?? one["id"],
  date: one["created"] ?? one["generated"],
  windows: listField(one, "windows")
    .filter(isObject)
    .map((window) => ["", listField(window, "tabs")] as const),
  automatic: one["type"] === "previous" ? textOf(one["name"]) || "previous" : null,
});

const pastOf = (one: Payload): Session => ({ ...sessionOf(one), automatic: String(one["id"]) });

const entryOf = ({ title, id, date, windows }: Session): Entry => {
  const names = windowsOf(windows.map(([name]) => name));
  return {
    folder: null,
    title,
    links: windows.flatMap(([, links], at) =>
      links.filter(isObject).map((link) => linkOf(link, date, names[at])),
    ),
    ...(typeof id === "string" || typeof id === "number" ? { key: `${id}` } : {}),
  };
};

const linkOf = (link: Payload, date: unknown, window: LinkGroup | undefined): Link => ({
  address: link["url"],
  title: link["title"],
  pinned: link["pinned"] === true,
  window: window ?? null,
  date,
});
