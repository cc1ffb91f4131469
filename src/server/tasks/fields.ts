import {
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";
import { ECHOED } from "../checks/schema.ts";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { MAX_NOTE, MAX_TABS, MAX_TITLE, MAX_URL } from "../../domain/tasks/task.ts";
import type { SentField, ValueSchema } from "../../domain/tasks/task-field.ts";
import {
  type FieldsWith,
  fieldsWith,
  type SentValue,
  TASK_FIELDS,
} from "../../domain/tasks/task-fields.ts";
import {
  type ColumnFilter,
  TASK_FILTERS,
  type TaskFilterName,
} from "../../domain/tasks/task-filters.ts";

// The fields that programs and agents send. `description` is what an error says that the value must be.

/**
 * An object whose unknown fields are refused by `refuseUnknownFields`, which names the known ones. Without
 * `additionalProperties`, Elysia would refuse them too, with less to say. `echoed` fields may be sent back as they were
 * read.
 */
export const Open = <Known extends TProperties>(
  known: Known,
  echoed: readonly string[] = [],
  words: { readonly description?: string } = {},
) => Type.Object(known, { additionalProperties: true, [ECHOED]: echoed, ...words });

/** What replies show of a tab or note, beside what was sent. */
export const ECHOED_OF_CHILD = ["id", "created_by", "created_by_key", "created_at"];

const typeOf = ({ schema, orNull, must }: SentField): TSchema => {
  const words = must === undefined ? {} : { description: must };
  return orNull ? Type.Union([bare(schema), Type.Null()], words) : { ...bare(schema), ...words };
};

const bare = ({ type, items, ...rest }: SentField["schema"]): TSchema =>
  type === "array" ? Type.Array(Type.String(items as ValueSchema), rest) : Type.String(rest);

type SentName = FieldsWith<"sent">;

/** The fields of a task that may be sent. */
export const SENT = Object.fromEntries(
  fieldsWith("sent").map((name) => [name, typeOf(TASK_FIELDS[name].sent)]),
) as { readonly [Name in SentName]: TUnsafe<SentValue<Name>> };

/** The same, with all fields optional. */
export const SENT_IF_ANY = Object.fromEntries(
  Object.entries(SENT).map(([name, type]) => [name, Type.Optional(type)]),
) as { readonly [Name in SentName]: TOptional<TUnsafe<SentValue<Name>>> };

const filterType = ({ takes, must }: ColumnFilter): TSchema =>
  Array.isArray(takes)
    ? Type.Union(
        takes.map((value) => Type.Literal(String(value))),
        { description: must },
      )
    : Type.String({ ...takes, description: must });

/** The filters of the task list that compare one column. */
export const FILTERS = Object.fromEntries(
  Object.entries(TASK_FILTERS).map(([name, filter]) => [name, Type.Optional(filterType(filter))]),
) as { readonly [Name in TaskFilterName]: TOptional<TUnsafe<string>> };

export const Time = Type.String({
  description: "an RFC 3339 time, such as 2026-01-31T09:30:00.000Z",
});
export const Colour = SENT.colour;
export const Name = Type.String({ minLength: 1, maxLength: MAX_NAME });
export const Text = Type.String({ minLength: 1, maxLength: MAX_NOTE });

export const Tab = Open(
  {
    url: Type.String({ minLength: 1, maxLength: MAX_URL, pattern: "\\S", description: "a URL" }),
    title: Type.Optional(
      Type.Union([Type.String({ maxLength: MAX_TITLE }), Type.Null()], {
        description: `a string of at most ${MAX_TITLE} characters, or null`,
      }),
    ),
  },
  ECHOED_OF_CHILD,
  { description: 'an object, such as {"url": "https://…"}' },
);

export const Tabs = Type.Array(Tab, {
  minItems: 1,
  maxItems: MAX_TABS,
  description: 'an array, such as [{"url": "https://…"}]',
});

/**
 * A number in a query, as digits. `parseLimit` checks the upper bound later; here it only appears in the
 * documentation.
 */
export const wholeNumber = (most: number, least: 0 | 1 = 1) =>
  Type.String({
    pattern: least === 0 ? "^(?:0|[1-9][0-9]{0,5})$" : "^[1-9][0-9]{0,5}$",
    description: `a whole number from ${least} to ${most}`,
    [LEAST]: least,
    [MOST]: most,
  });

/** The schema keywords with the bounds of `wholeNumber`. */
export const LEAST = "x-least";
export const MOST = "x-most";

/** Tasks per page of a list, at most and by default. */
export const MAX_LIMIT = 200;
export const DEFAULT_LIMIT = 50;

export type Tabs = Static<typeof Tabs>;
