import { formatInstant, parseInstant } from "../base/instant.ts";
import { isObject, listField, type Payload, textField } from "../base/payload.ts";
import { columnText } from "../base/text.ts";
import { authorship, childId, childValue, type FiledChild, isChild } from "./child.ts";

/** A tab as REST returns it. `id` is null if the extension stored the tab without one. */
export type Tab = {
  readonly id: string | null;
  readonly url: string;
  readonly title: string;
  readonly created_by: "agent" | "person";
  readonly created_by_key: string | null;
  readonly created_at: string | null;
};

/** A note as REST returns it. `id` is null if the extension stored the note without one. */
export type Note = {
  readonly id: string | null;
  readonly text: string;
  readonly created_by: "agent" | "person";
  readonly created_by_key: string | null;
  readonly created_at: string | null;
};

/** Returns a task's tabs and notes, each with its author; of each list only the first `most`. */
export const readChildren = (
  payload: Payload,
  agents: readonly FiledChild[],
  most = Number.POSITIVE_INFINITY,
): { readonly tabs: Tab[]; readonly notes: Note[] } => ({
  tabs: readTabs(listField(payload, "pages"), agents, most),
  notes: readNotes(listField(payload, "notes"), agents, most),
});

/** Returns the first `most` tabs in a task's `pages`, in the order filed. Ignores an item that is not a tab. */
export const readTabs = (
  pages: readonly unknown[],
  agents: readonly FiledChild[],
  most = Number.POSITIVE_INFINITY,
): Tab[] => {
  const authorOf = authorship(agents, "pages");
  return firstChildren(pages, most).map(([page, at]) => {
    const url = columnText(childValue("pages", page) ?? "");
    const author = authorOf(at);
    return {
      id: idText(page),
      url,
      title: columnText((isObject(page) && textField(page, "title")) || url),
      created_by: author.created_by,
      created_by_key: author.created_by_key,
      created_at: author.created_at ?? instantText(page),
    };
  });
};

/** Returns the first `most` notes in a task's `notes`, in the order added. Ignores an item that is not a note. */
export const readNotes = (
  notes: readonly unknown[],
  agents: readonly FiledChild[],
  most = Number.POSITIVE_INFINITY,
): Note[] => {
  const authorOf = authorship(agents, "notes");
  return firstChildren(notes, most).map(([note, at]) => {
    const author = authorOf(at);
    return {
      id: idText(note),
      text: columnText(childValue("notes", note) ?? ""),
      created_by: author.created_by,
      created_by_key: author.created_by_key,
      created_at: author.created_at ?? instantText(note),
    };
  });
};

/** The first `most` items that are tabs or notes, each with its index. */
const firstChildren = (items: readonly unknown[], most: number): (readonly [unknown, number])[] => {
  const found: (readonly [unknown, number])[] = [];
  for (const [at, item] of items.entries()) {
    if (found.length >= most) break;
    if (isChild(item)) found.push([item, at]);
  }
  return found;
};

const idText = (item: unknown): string | null => {
  const id = childId(item);
  return id === null ? null : columnText(id);
};

export const instantText = (item: unknown): string | null => {
  const text = isObject(item) ? textField(item, "created_at") : null;
  const instant = text === null ? null : parseInstant(text);
  return instant === null ? null : formatInstant(instant);
};
