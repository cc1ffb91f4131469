import { isListed, isTrashBucket, type RecordMeta } from "./task.ts";
import type { Author } from "../people/account.ts";
import type { FiledChild } from "./child.ts";
import { folderName, folderRow } from "./folder.ts";
import type { Instant } from "../base/instant.ts";
import type { Payload } from "../base/payload.ts";
import type { Table } from "../base/record.ts";
import { type FieldsWith, fieldsWith, TASK_FIELDS, taskRow, type TaskRow } from "./task-fields.ts";
import type { TaskField } from "./task-field.ts";

/** A record that is about to be stored. */
export type Draft = {
  readonly accountId: number;
  readonly table: Table;
  readonly id: string;
  readonly payload: Payload;
  readonly payloadText: string;
  readonly updated: Instant;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly createdAt: Instant;
  readonly author: Author;
  readonly filed: readonly FiledChild[];
};

/** The columns that queries need. All are a function of the record (and of its bucket). */
export type Projection = TaskColumns & {
  readonly trashed: number;
  readonly live: number;
  readonly open: number;
  readonly row: string;
};

/** The parts of a record that its projection depends on. */
type Projected = Pick<
  Draft,
  "author" | "createdAt" | "deletedAt" | "id" | "payload" | "table" | "updated"
>;

/** Returns the projection of a record. `inTrash` says whether the bucket with an id is a trash bucket. */
export const project = (draft: Projected, inTrash: (bucketId: string) => boolean): Projection => {
  const meta: RecordMeta = {
    id: draft.id,
    author: draft.author,
    createdAt: draft.createdAt,
    updatedAt: draft.updated,
    deletedAt: draft.deletedAt,
  };
  const alive = draft.deletedAt === null;
  switch (draft.table) {
    case "sync_tasks":
      return projectTask(meta, draft.payload, alive, inTrash);
    case "sync_projects": {
      const row = JSON.stringify(folderRow(meta, draft.payload));
      const title = folderName(draft.payload);
      return { ...NO_COLUMNS, title, trashed: 0, live: Number(alive), open: 0, row };
    }
    case "sync_buckets": {
      const trashed = Number(isTrashBucket(draft.id, alive ? draft.payload : null));
      return { ...NO_COLUMNS, trashed, live: Number(alive), open: 0, row: "" };
    }
  }
};

const projectTask = (
  meta: RecordMeta,
  payload: Payload,
  alive: boolean,
  inTrash: (bucketId: string) => boolean,
): Projection => {
  const row = taskRow(meta, payload);
  const columns = taskColumns(row);
  const trashed = columns.bucketId !== null && inTrash(columns.bucketId);
  const live = alive && !trashed;
  return {
    ...columns,
    trashed: Number(trashed),
    live: Number(live),
    open: Number(live && isListed(row.status)),
    row: JSON.stringify(row),
  };
};

type Column = (typeof TASK_FIELDS)[FieldsWith<"column">]["column"];

/** The fields of a task that have columns of their own. */
export type TaskColumns = { readonly title: string } & {
  readonly [Name in Exclude<Column, "title">]: string | null;
};

const asItIs = (text: string): string => text;

const COLUMNS = fieldsWith("column").map((name) => {
  const { compared = asItIs }: TaskField = TASK_FIELDS[name];
  return { name, column: TASK_FIELDS[name].column, compared };
});

export const taskColumns = (row: TaskRow): TaskColumns => {
  const columns: Record<string, string | null> = {};
  for (const { name, column, compared } of COLUMNS)
    columns[column] = columnValue(row[name], compared);
  return columns as TaskColumns;
};

/** Returns a stored row, which is JSON text, with the name of the task's folder. */
export const withFolderName = (row: string, name: string | null): string =>
  name === null
    ? row
    : row.replace(NO_FOLDER_NAME, () => `,"folder_name":${JSON.stringify(name)},`);

/** It cannot be within a text: quotes are escaped there. */
const NO_FOLDER_NAME = ',"folder_name":null,';

/** A list as JSON; an empty list as null. */
const columnValue = (
  value: string | readonly string[] | null,
  compared: (text: string) => string,
): string | null => {
  if (value === null) return null;
  if (typeof value === "string") return compared(value);
  return value.length === 0 ? null : JSON.stringify(value.map(compared));
};

/** The columns of a record that is not a task. */
export const NO_COLUMNS = {
  ...(Object.fromEntries(COLUMNS.map(({ column }) => [column, null])) as object),
  title: "",
} as TaskColumns;

/**
 * Returns a field's value as text for people, or null for none: a list on one line; a value of the wrong type
 * as JSON.
 */
export const valueText = (name: FieldsWith<"label">, value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (!isList(name) || !isTexts(value)) return JSON.stringify(value);
  return value.length === 0 ? null : value.join(", ");
};

const isList = (name: FieldsWith<"label">): boolean => {
  const { sent }: TaskField = TASK_FIELDS[name];
  return sent?.schema.type === "array";
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");
