import type { Payload } from "../base/payload.ts";
import type { RecordMeta } from "./task.ts";

/** JSON Schema of a value, as plain data: neither the command line nor a browser loads a library to read the table. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** One field of a task. `TASK_FIELDS` says what follows from each part. */
export type TaskField = {
  /** Its value in the task's row. A payload may hold anything: another type is as if the field were absent. */
  readonly read: (payload: Payload, meta: RecordMeta) => unknown;
  /** What the value is in replies. */
  readonly shown: ValueSchema;
  /** The value in the examples of the API's documentation. */
  readonly example: unknown;
  /** What people call it, on pages and in histories. */
  readonly label?: string;
  /** Whether a task's page lists it, where it has a value. */
  readonly isFact?: true;
  /** Whether a value set over REST is kept when a device that cannot have seen it pushes the task. */
  readonly guarded?: true;
  /** The column of the projection that holds it, for queries. A list is kept there as JSON. */
  readonly column?: string;
  /** What a new task's payload holds where nothing was sent. Without it, the payload does not have the field. */
  readonly initial?: unknown;
  /** Whether tools show it, and at most how many characters of it. */
  readonly inResults?: { readonly most: number | null };
  /** What may be sent; without it, only the server writes the field. */
  readonly sent?: SentField;
};

/** A field as programs and agents send it. */
export type SentField = {
  readonly schema: ValueSchema & { readonly type: "array" | "string" };
  /** Whether null may be sent, for none. */
  readonly orNull?: true;
  /** What an error says that the value must be. */
  readonly must?: string;
  /** What the schema cannot say. It is asked of no null. */
  readonly check?: (value: unknown) => boolean;
  /** The value as the payload keeps it, where that is another one. */
  readonly clean?: (value: unknown) => unknown;
  /** Whether the value names another record, which must be found first. */
  readonly names?: "bucket" | "folder";
  /** What the API's documentation says of it. */
  readonly about: ValueSchema;
  /** Whether tools take it too, and how they describe it where that is not `must`. */
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
