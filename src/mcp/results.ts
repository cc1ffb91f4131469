import type { RecordRow } from "../domain/records/row.ts";
import { type Author, type Caller, mayRead } from "../domain/people/account.ts";
import type { FolderRow } from "../domain/tasks/folder.ts";
import { fieldsWith, TASK_FIELDS, type TaskRow } from "../domain/tasks/task-fields.ts";
import { put } from "./size.ts";
import type { ToolResult } from "./tool.ts";

// Rows as agents get them: as over REST, but without nulls, and with the author on every text. The fields are set one
// by one, because spreading objects takes longer than reading the row. The limits below are above what agents can
// send. Devices can store more.

/** In characters: how much is shown of a title, a name or a url. */
export const LINE = 2_000;
/** In characters: how much is shown of a status or a colour. */
const WORD = 300;

const SHOWN = fieldsWith("inResults").map((name) => ({
  name,
  most: TASK_FIELDS[name].inResults.most,
}));

/** Returns a task as lists show it, from its JSON text. */
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

type Sent = { readonly caller: Caller; readonly args: ToolResult };

/** Returns the task that a write returned: to a caller without `read`, its id. */
export const recordResult = (
  { id, row }: RecordRow,
  { caller }: Pick<Sent, "caller">,
): ToolResult => ({ task: mayRead(caller) ? taskResult(row) : { id } });

/** Returns the task that was changed: to a caller without `read`, its id and the fields that were sent. */
export const changedResult = ({ id, row }: RecordRow, { caller, args }: Sent): ToolResult => ({
  task: mayRead(caller) ? taskResult(row) : { ...args, id },
});

/** Returns the task that a write has just made, of which its caller may see everything. */
export const newTaskResult = ({ row }: RecordRow): ToolResult => ({ task: taskResult(row) });

export const folderResult = (row: string): ToolResult => {
  const folder = JSON.parse(row) as FolderRow & { readonly task_count: number };
  const shown: Record<string, unknown> = { id: folder.id };
  put(shown, "name", folder.name, LINE);
  put(shown, "colour", folder.colour, WORD);
  shown["task_count"] = folder.task_count;
  putAuthor(shown, folder);
  return shown;
};

/** Adds who created something: a person, or an agent with the name of its key. */
export const putAuthor = (shown: Record<string, unknown>, author: Author): void => {
  shown["created_by"] = author.created_by;
  if (author.created_by_key !== null) shown["created_by_key"] = author.created_by_key;
};
