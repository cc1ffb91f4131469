import type { TaskField } from "./task-field.ts";
import { type FieldsWith, fieldsWith, TASK_FIELDS, type TaskRow } from "./task-fields.ts";

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
