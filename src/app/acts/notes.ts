import { addNote, removeNotes, setNote } from "../../client/edits.ts";
import type { NoteView } from "../../client/views.ts";
import { act } from "./act.ts";
import { nameOf } from "./tabs.ts";

export const writeNote = (task: string, text: string): Promise<boolean> =>
  act("Note added", [addNote(task, { text })]);

/** Changes a note; an empty one is removed. */
export const rewriteNote = (task: string, note: NoteView, text: string): Promise<boolean> =>
  text.trim() === ""
    ? dropNote(task, note)
    : act("Note changed", [setNote(task, nameOf(note), text)]);

export const dropNote = (task: string, note: NoteView): Promise<boolean> =>
  act("Note removed", [removeNotes(task, [nameOf(note)])], { notice: true });
