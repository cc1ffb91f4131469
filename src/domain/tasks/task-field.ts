import type { Payload } from "../base/payload.ts";
import type { ChildList } from "./child.ts";
import type { RecordMeta } from "./task.ts";

/**
 * JSON Schema of a value, as plain data, so that the command line and browsers can read the table without
 * loading a library.
 */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** One field of a task. See `TASK_FIELDS` for what uses these parts. */
export type TaskField = {
  /**
   * Returns the field's value in the task's row. A payload may hold anything: a value of another type counts
   * as absent.
   */
  readonly read: (payload: Payload, meta: RecordMeta) => unknown;
  /** The list in the payload that it counts, whose items each have an author and are merged one by one. */
  readonly items?: ChildList;
  /** The schema of the value in replies. */
  readonly shown: ValueSchema;
  /** The value in the examples of the API's documentation. */
  readonly example: unknown;
  /** The field's name for people, on pages and in histories. */
  readonly label?: string;
  /** Whether the task page lists it, if it has a value. */
  readonly isFact?: true;
  /** The column of the projection that holds it, for queries. A list is stored there as JSON. */
  readonly column?: string;
  /** Returns what the column holds for a text, if queries do not compare the text itself. */
  readonly compared?: (text: string) => string;
  /**
   * The value in a new task's payload if none was sent. Without this, the payload does not have the field.
   */
  readonly initial?: unknown;
  /** Whether tools return it, and at most how many characters of it. */
  readonly inResults?: { readonly most: number | null };
  /** How the field may be sent. Without this, only the server writes it. */
  readonly sent?: SentField;
};

/** How programs and agents send a field. */
export type SentField = {
  /** TypeBox would ignore an `enum` here, so it does not compile: use a `pattern`. */
  readonly schema: ValueSchema & { readonly type: "array" | "string"; readonly enum?: never };
  /** Whether null may be sent, to clear the field. */
  readonly orNull?: true;
  /** What an error says that the value must be. */
  readonly must?: string;
  /** A check that the schema cannot express. Not called for null. */
  readonly check?: (value: unknown) => boolean;
  /** Returns the value as the payload stores it, if that differs. */
  readonly clean?: (value: unknown) => unknown;
  /** Whether the value names another record, which must be looked up first. */
  readonly names?: "bucket" | "folder";
  /** The field's description in the API's documentation. */
  readonly about: ValueSchema;
  /** Whether tools accept it too, and their description of it if that differs from `must`. */
  readonly inTools?: { readonly description?: string };
};

// Parts of the schemas in `shown`.

export const orNull = (schema: ValueSchema): ValueSchema => ({
  anyOf: [schema, { type: "null" }],
});

export const text = (description: string): ValueSchema => ({ description, type: "string" });

export const time = (description: string): ValueSchema => ({
  format: "date-time",
  ...text(description),
});

export const count = (description: string): ValueSchema => ({
  minimum: 0,
  description,
  type: "integer",
});
