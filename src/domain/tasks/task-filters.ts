import { DATE_PATTERN, isDate } from "../base/date.ts";
import type { ValueSchema } from "./task-field.ts";

/** A filter of the task list that compares one column. */
export type ColumnFilter = {
  /** The record's column. */
  readonly column: string;
  /** How the column is compared with the value. A task with nothing in the column never matches. */
  readonly test: "after" | "before" | "equals" | "has";
  /** The values that may be sent, or the JSON Schema of a text that may be. */
  readonly takes: readonly string[] | ValueSchema;
  /** What an error says that the value must be. */
  readonly must: string;
  /** A check that the schema cannot express. */
  readonly check?: (value: unknown) => boolean;
  /** The filter's description in the API's documentation. */
  readonly about: ValueSchema;
  /** The filter's description for tools. */
  readonly inTools: string;
};

/**
 * The filters that compare one column. The parameters of `GET /tasks` with their documentation, the arguments
 * of `find_tasks`, and the conditions of the query are derived from this table. A task must match all filters
 * that are sent.
 */
export const TASK_FILTERS = {
  created_by: {
    column: "createdBy",
    test: "equals",
    takes: ["agent", "person"],
    must: "agent or person",
    about: {
      description: "Only tasks that an agent created, or only those that a person created.",
    },
    inTools: "agent or person",
  },
  tag: {
    column: "tags",
    test: "has",
    takes: { minLength: 1, maxLength: 50 },
    must: "a tag",
    about: { description: "Only tasks that have exactly this tag.", example: "travel" },
    inTools: "a tag, to find only tasks that have it",
  },
  due_before: {
    column: "due",
    test: "before",
    takes: { pattern: DATE_PATTERN },
    must: "a date that exists, such as 2026-01-31",
    check: isDate,
    about: {
      description: "Only tasks that are due before this date. Tasks without a date never match.",
      schema: { format: "date" },
      example: "2026-05-01",
    },
    inTools: "a date such as 2026-01-31; finds tasks due before it",
  },
  due_after: {
    column: "due",
    test: "after",
    takes: { pattern: DATE_PATTERN },
    must: "a date that exists, such as 2026-01-31",
    check: isDate,
    about: {
      description: "Only tasks that are due after this date. Tasks without a date never match.",
      schema: { format: "date" },
      example: "2026-03-31",
    },
    inTools: "a date such as 2026-01-31; finds tasks due after it",
  },
} as const satisfies Readonly<Record<string, ColumnFilter>>;

export type TaskFilterName = keyof typeof TASK_FILTERS;

/** The filters that were sent, with their values. */
export type TaskFilterValues = { readonly [Name in TaskFilterName]?: string | undefined };

export const TASK_FILTER_NAMES = Object.keys(TASK_FILTERS) as readonly TaskFilterName[];
