import { type FiledChild, authorship, childValue, isChild } from "./child.ts";
import { idText, instantText } from "./tab.ts";
import { columnText } from "../base/text.ts";

/** A note as REST shows it. `id` is null where the extension stored it without one. */
export type Note = {
  readonly id: string | null;
  readonly text: string;
  readonly created_by: "agent" | "person";
  readonly created_by_key: string | null;
  readonly created_at: string | null;
};

export const MAX_NOTE = 20_000;
/** Notes that one `POST /tasks` may bring. */
export const MAX_NOTES = 100;

/** The notes among a task's `notes`, in the order added. An item that is no note is passed over. */
export const readNotes = (notes: readonly unknown[], agents: readonly FiledChild[]): Note[] => {
  const authorOf = authorship(agents, "notes");
  return notes.flatMap((note, at) => {
    if (!isChild(note)) return [];
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
