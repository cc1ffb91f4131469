import { removeNotes } from "../../client/edits.ts";
import { type Typed, typeNewNote, typeNote } from "../../client/typed.ts";
import type { NoteView } from "../../client/views.ts";
import { act } from "./act.ts";
import { nameOf } from "./tabs.ts";
import { actTyped } from "./tasks.ts";

export const writeNote = (task: string, text: string): Promise<boolean> =>
  actTyped(task, "Note added", typeNewNote(task, text));

/** Changes a note as somebody types it. One that is empty is removed, unless others have changed it meanwhile. */
export const rewriteNote = (task: string, note: NoteView, typed: Typed): Promise<boolean> =>
  typed.now.trim() !== ""
    ? actTyped(task, "Note changed", typeNote(task, nameOf(note), typed))
    : note.text === typed.was
      ? dropNote(task, note)
      : Promise.resolve(true);

export const dropNote = (task: string, note: NoteView): Promise<boolean> =>
  act("Note removed", [removeNotes(task, [nameOf(note)])], { notice: true });
