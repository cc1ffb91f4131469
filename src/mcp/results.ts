import type { RecordRow } from "../domain/sync/row.ts";
import type { Author } from "../domain/people/caller.ts";
import type { FolderRow } from "../domain/tasks/folder.ts";
import { fieldsWith, TASK_FIELDS, type TaskRow } from "../domain/tasks/task-fields.ts";
import { put } from "./size.ts";
import type { ToolResult } from "./tool.ts";

// Rows as agents read them: those of REST, without what is null, and every text labelled by who made it. They are put
// together field by field: spreading a part of each takes longer than reading the row. What agents send is shorter
// than these; devices may store more.

/** Characters that are shown of a title or a name, and of an address. */
export const LINE = 2_000;
/** And of what is a word: a status, a colour. */
const WORD = 300;

const SHOWN = fieldsWith("inResults").map((name) => ({
  name,
  most: TASK_FIELDS[name].inResults.most,
}));

/** A task of a list, without its tabs and notes. */
export const taskResult = (row: string): ToolResult => {
  const task = JSON.parse(row) as TaskRow;
  const shown: Record<string, unknown> = {};
  for (const { name, most } of SHOWN) {
    const value = task[name];
    if (typeof value === "string" && most !== null) put(shown, name, value, most);
    else if (value !== null && !isEmptyList(value)) shown[name] = value;
  }
  return shown;
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The task that a write returned. */
export const recordResult = ({ row }: RecordRow): ToolResult => ({ task: taskResult(row) });

export const folderResult = (row: string): ToolResult => {
  const folder = JSON.parse(row) as FolderRow & { readonly task_count: number };
  const shown: Record<string, unknown> = { id: folder.id };
  put(shown, "name", folder.name, LINE);
  put(shown, "colour", folder.colour, WORD);
  shown["task_count"] = folder.task_count;
  putAuthor(shown, folder);
  return shown;
};

/** Puts in who made something: a person, or an agent with the name of its key. */
export const putAuthor = (shown: Record<string, unknown>, author: Author): void => {
  shown["created_by"] = author.created_by;
  if (author.created_by_key !== null) shown["created_by_key"] = author.created_by_key;
};
