import type { RecordRow } from "../db/records.ts";
import type { Author } from "../caller.ts";
import type { FolderRow } from "../folder.ts";
import type { TaskRow } from "../task.ts";
import { cut } from "./room.ts";
import type { Shown } from "./tool.ts";

// Rows as agents read them: those of REST, without what is null. Every text is labelled by who made it. What
// agents send is shorter than these; devices may store more.

/** Characters that are shown of a title or a name, and of an address. */
export const LINE = 2_000;
/** And of what is a word: a status, a colour. */
const WORD = 300;

/** A task of a list, without its tabs and notes. */
export const shownTask = (row: string): Shown => {
  const task = JSON.parse(row) as TaskRow;
  const { id, title, status, colour, folder, created_at, updated_at, tab_count, note_count } = task;
  return {
    id,
    ...cut("title", title, LINE),
    ...cut("status", status, WORD),
    ...(colour === null ? {} : cut("colour", colour, WORD)),
    ...(folder === null ? {} : cut("folder", folder, LINE)),
    tab_count,
    note_count,
    ...madeBy(task),
    created_at,
    updated_at,
  };
};

/** The task that a write returned. */
export const shownRecord = ({ row }: RecordRow): Shown => ({ task: shownTask(row) });

export const shownFolder = (row: string): Shown => {
  const folder = JSON.parse(row) as FolderRow & { readonly task_count: number };
  const { id, name, colour, task_count } = folder;
  return {
    id,
    ...cut("name", name, LINE),
    ...(colour === null ? {} : cut("colour", colour, WORD)),
    task_count,
    ...madeBy(folder),
  };
};

/** Whoever made something: a person, or an agent with the name of its key. */
export const madeBy = ({ created_by, created_by_key }: Author): Shown =>
  created_by_key === null ? { created_by } : { created_by, created_by_key };
