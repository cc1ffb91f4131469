import { type FiledChild, authorship, childValue, isChild } from "./child.ts";
import { idText, instantText } from "./tab.ts";
import { columnText } from "../base/text.ts";

/** A note as REST returns it. `id` is null if the extension stored it without one. */
export type Note = {
  readonly id: string | null;
  readonly text: string;
  readonly created_by: "agent" | "person";
  readonly created_by_key: string | null;
  readonly created_at: string | null;
};

export const MAX_NOTE = 20_000;
/** Notes in one `POST /tasks`. */
export const MAX_NOTES = 100;

/** Returns the notes in a task's `notes`, in the order added. Ignores items that are not notes. */
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
