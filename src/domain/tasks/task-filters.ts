import { formatInstant, parseMoment } from "../base/instant.ts";
import { tagKey } from "./tags.ts";
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
  /** Returns the value as the column is compared with it, if that differs. */
  readonly clean?: (value: string) => string;
  /** The filter's description in the API's documentation. */
  readonly about: ValueSchema;
  /** The filter's description for tools. */
  readonly inTools: string;
};

const isMoment = (value: unknown): boolean =>
  typeof value === "string" && parseMoment(value.replace(" ", "+")) !== null;

/**
 * A date alone, or a time, as texts that compare as what they mean: a date is its start in UTC. A `+` that was not
 * percent-encoded arrives as a space.
 */
const dayOrTime = (value: string): string =>
  formatInstant(parseMoment(value.replace(" ", "+")) ?? 0).replace("T00:00:00.000Z", "");

/** The schema of a date, or an RFC 3339 time. */
const MOMENT: ValueSchema = { anyOf: [{ format: "date" }, { format: "date-time" }] };

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
    clean: tagKey,
    about: { description: "Only tasks that have this tag, in any case.", example: "travel" },
    inTools: "a tag",
  },
  due_before: {
    column: "due",
    test: "before",
    takes: {},
    must: "a date that exists, such as 2026-01-31",
    check: isMoment,
    clean: dayOrTime,
    about: {
      description:
        "Only tasks that are due before this date. Tasks without a date never match. A time counts too: a date is its start in UTC.",
      schema: MOMENT,
      example: "2026-05-01",
    },
    inTools: "a date such as 2026-01-31; finds tasks due before it",
  },
  due_after: {
    column: "due",
    test: "after",
    takes: {},
    must: "a date that exists, such as 2026-01-31",
    check: isMoment,
    clean: dayOrTime,
    about: {
      description:
        "Only tasks that are due after this date. Tasks without a date never match. A time counts too: a date is its start in UTC.",
      schema: MOMENT,
      example: "2026-03-31",
    },
    inTools: "a date such as 2026-01-31; finds tasks due after it",
  },
} as const satisfies Readonly<Record<string, ColumnFilter>>;

export type TaskFilterName = keyof typeof TASK_FILTERS;

/** The filters that were sent, with their values. */
export type TaskFilterValues = { readonly [Name in TaskFilterName]?: string | undefined };

export const TASK_FILTER_NAMES = Object.keys(TASK_FILTERS) as readonly TaskFilterName[];
