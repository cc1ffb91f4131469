import { DATE_PATTERN, formatInstant, isDate } from "../base/instant.ts";
import { type Payload, textField } from "../base/payload.ts";
import { columnText, cutText, isSeen, rowText } from "../base/text.ts";
import { type ChildList, countChildren } from "./child.ts";
import {
  columnField,
  DEFAULT_STATUS,
  isStatus,
  KNOWN_STATUSES,
  MAX_COLOUR,
  MAX_STATUS,
  MAX_TAG,
  MAX_TAGS,
  MAX_TITLE,
  type RecordMeta,
} from "./task.ts";
import { tagKey } from "./tags.ts";
import { count, orNull, type TaskField, text, time } from "./task-field.ts";

/** How many characters tools return of a line (a title, a name), and of a word (a status, a colour). */
const LINE = 2_000;
const WORD = 300;

/** A regular expression for 1 to `most` characters that fit on one line. */
const printable = (most: number): string =>
  `^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]{1,${most}}$`;

/**
 * Returns the texts of a list, cut to the length of tags, each tag once and in its first spelling, up to the number of
 * tags a task may have.
 */
const tagsOf = (value: unknown): readonly string[] => {
  if (!Array.isArray(value)) return [];
  const tags = new Map<string, string>();
  for (const item of value) {
    if (tags.size === MAX_TAGS) break;
    if (typeof item !== "string" || item === "") continue;
    const tag = columnText(cutText(item, MAX_TAG));
    if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  }
  return [...tags.values()];
};

/**
 * A task, field by field, in the order of its row. Everything that handles fields is derived from this table:
 * the stored rows and columns, what REST and tools accept and return, the API's documentation, merges,
 * histories and pages. A new field is an entry here, and a migration that rebuilds the stored rows.
 */
export const TASK_FIELDS = {
  id: {
    read: (_payload, { id }) => id,
    shown: { minLength: 1, maxLength: 255, type: "string" },
    example: "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b77",
    inResults: { most: null },
  },
  title: {
    read: (payload) => rowText(textField(payload, "title") ?? ""),
    shown: text("The title, or its first 1,000 characters if it is longer."),
    example: "Plan the trip to Lisbon",
    label: "Title",
    column: "title",
    initial: "",
    inResults: { most: LINE },
    sent: {
      schema: { minLength: 1, maxLength: MAX_TITLE, type: "string" },
      check: isSeen,
      about: { description: "What needs to be done. Not only blanks or invisible characters." },
      inTools: {},
    },
  },
  status: {
    read: (payload) => rowText(textField(payload, "status") ?? DEFAULT_STATUS),
    shown: {
      ...text(
        "The extension decides which statuses exist, so expect any text. The examples are the known ones.",
      ),
      examples: KNOWN_STATUSES,
    },
    example: "todo",
    label: "Status",
    column: "status",
    initial: DEFAULT_STATUS,
    inResults: { most: WORD },
    sent: {
      schema: {
        pattern: printable(MAX_STATUS),
        type: "string",
      },
      must: `1 to ${MAX_STATUS} printable characters`,
      check: isStatus,
      about: {
        description:
          "The extension decides which statuses exist, so any text is accepted from a session. From an API key, it must be a known one, in any case, or one that a task has already. The examples are the known ones.",
        examples: KNOWN_STATUSES,
        minLength: 1,
        maxLength: MAX_STATUS,
      },
      inTools: {
        description: `${KNOWN_STATUSES.join(", ")}, or another one in use; 1 to ${MAX_STATUS} printable characters`,
      },
    },
  },
  colour: {
    read: (payload) => columnField(payload, "colour"),
    shown: orNull(text("Any text. The extension decides what it means.")),
    example: null,
    label: "Colour",
    isFact: true,
    initial: null,
    inResults: { most: WORD },
    sent: {
      schema: { maxLength: MAX_COLOUR, type: "string" },
      orNull: true,
      must: `a string of at most ${MAX_COLOUR} characters, or null`,
      about: { description: "Any text, or null for none." },
      inTools: {},
    },
  },
  folder: {
    read: (payload) => columnField(payload, "project_id"),
    shown: orNull(text("The folder's id, the same as project_id.")),
    example: "0199a3c0-11f2-7c44-8d0a-6b1f0c2d3e4f",
    inResults: { most: LINE },
    sent: {
      schema: { type: "string" },
      orNull: true,
      must: "a folder's id or exact name, or null for none",
      names: "folder",
      about: {
        description:
          "A folder's id or exact name, or null for none. An unknown folder is refused, and so is a name that two folders have.",
      },
      inTools: {
        description: "a folder's id or exact name, or null for none",
      },
    },
  },
  project_id: {
    read: (payload) => columnField(payload, "project_id"),
    shown: orNull(text("The folder's id, or null for none.")),
    example: "0199a3c0-11f2-7c44-8d0a-6b1f0c2d3e4f",
    label: "Folder",
    column: "folderId",
    initial: null,
    sent: {
      schema: { type: "string" },
      orNull: true,
      must: "a folder's id or exact name, or null for none",
      names: "folder",
      about: {
        description:
          "A folder's id or exact name, or null for none. If you also send `folder`, both must mean the same folder.",
      },
    },
  },
  bucket_id: {
    read: (payload) => columnField(payload, "bucket_id"),
    shown: orNull(text("The id of the extension's column that the task is in.")),
    example: null,
    label: "Bucket",
    column: "bucketId",
    initial: null,
    sent: {
      schema: { type: "string" },
      orNull: true,
      must: "a bucket's id, or null for none",
      names: "bucket",
      about: { description: "A bucket's id, or null for none. A trash bucket is refused." },
    },
  },
  created_by: {
    read: (_payload, { author }) => author.created_by,
    shown: {
      type: "string",
      enum: ["agent", "person"],
      description:
        "Who created it. Docket takes this from the credential, never from a body. An API key counts as an agent.",
    },
    example: "agent",
    inResults: { most: null },
  },
  created_by_key: {
    read: (_payload, { author }) => author.created_by_key,
    shown: orNull(text("The name of the API key that created it, if one did.")),
    example: "helper",
    inResults: { most: null },
  },
  created_at: {
    read: (_payload, { createdAt }) => formatInstant(createdAt),
    shown: time("When the server first received it."),
    example: "2026-03-04T12:00:00.000Z",
    inResults: { most: null },
  },
  updated_at: {
    read: (_payload, { updatedAt }) => formatInstant(updatedAt),
    shown: time("When it was last changed, by the clock of the device or server that changed it."),
    example: "2026-03-04T12:00:00.000Z",
    inResults: { most: null },
  },
  deleted_at: {
    read: (_payload, { deletedAt }) => deletedAt,
    shown: orNull(time("Always null here, because deleted records are never returned.")),
    example: null,
  },
  due: {
    read: ({ due }) => (isDate(due) ? due : null),
    shown: orNull({ format: "date", ...text("The day it is due, or null for none.") }),
    example: "2026-04-30",
    label: "Due",
    isFact: true,
    column: "due",
    inResults: { most: null },
    sent: {
      schema: { pattern: DATE_PATTERN, type: "string" },
      orNull: true,
      must: "a date that exists, such as 2026-01-31, or null",
      check: isDate,
      about: { description: "The day it is due, or null for none.", format: "date" },
      inTools: {},
    },
  },
  tags: {
    read: (payload) => tagsOf(payload["tags"]),
    shown: {
      maxItems: MAX_TAGS,
      description:
        "Its tags, each once. Empty if it has none. Tags are equal in any case, and whether their accents are composed or apart.",
      type: "array",
      items: { maxLength: MAX_TAG, type: "string" },
    },
    example: ["travel"],
    label: "Tags",
    isFact: true,
    column: "tags",
    compared: tagKey,
    inResults: { most: null },
    sent: {
      schema: {
        maxItems: MAX_TAGS,
        items: { pattern: printable(MAX_TAG), type: "string" },
        type: "array",
      },
      orNull: true,
      must: `at most ${MAX_TAGS} tags of 1 to ${MAX_TAG} printable characters, such as ["travel"], or null`,
      check: (value) => Array.isArray(value) && value.every(isSeen),
      clean: (value) => {
        const tags = tagsOf(value);
        return tags.length === 0 ? null : tags;
      },
      about: {
        description:
          "All of its tags: they replace those it has. A tag that you send twice, in any case, is kept once, and one that the task has keeps its spelling. An empty list or null removes all tags.",
      },
      inTools: {},
    },
  },
  position: {
    read: (payload) => columnField(payload, "position"),
    shown: orNull(
      text("Its place in lists that people arrange. Compare positions character by character."),
    ),
    example: "a0",
    label: "Position",
    inResults: { most: WORD },
    sent: {
      schema: { pattern: "^[!-~]{1,255}$", type: "string" },
      orNull: true,
      must: "1 to 255 printable ASCII characters without spaces, or null",
      about: {
        description:
          "Its place in lists that people arrange, or null for none. Lists are sorted by position, character by character, so a task with `a1` comes between `a0` and `a2`. Those without a position come where `ZzUq7` would, last changed first.",
      },
      inTools: {},
    },
  },
  folder_name: {
    // Stored rows have null here, because a folder is renamed without its tasks: see `withFolderName`.
    read: (): string | null => null,
    shown: orNull(
      text(
        "The folder's name. Null if it is in none, or in a folder that was deleted or that your key may not see.",
      ),
    ),
    example: "Travel",
    inResults: { most: LINE },
  },
  tab_count: {
    read: (payload) => countChildren(payload, "pages"),
    items: "pages",
    shown: count("How many tabs it has."),
    example: 1,
    inResults: { most: null },
  },
  note_count: {
    read: (payload) => countChildren(payload, "notes"),
    items: "notes",
    shown: count("How many notes it has."),
    example: 1,
    inResults: { most: null },
  },
} as const satisfies Readonly<Record<string, TaskField>>;

type Table = typeof TASK_FIELDS;

type TaskFieldName = keyof Table;

/** The names of the fields that have this part. */
export type FieldsWith<Part extends keyof TaskField> = {
  [Name in TaskFieldName]: Table[Name] extends Readonly<Record<Part, unknown>> ? Name : never;
}[TaskFieldName];

export const fieldsWith = <Part extends keyof TaskField>(part: Part): readonly FieldsWith<Part>[] =>
  Object.entries(TASK_FIELDS).flatMap(([name, field]) =>
    part in field ? [name as FieldsWith<Part>] : [],
  );

/** The fields that have a name for people. They can be set over REST, compared and undone. */
export const KNOWN_FIELDS = fieldsWith("label");

type Filled<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** A task as lists show it; `GET /tasks/{id}` adds `tabs` and `notes`. */
export type TaskRow = {
  readonly [Name in TaskFieldName]: Filled<ReturnType<Table[Name]["read"]>>;
};

const READS = Object.entries(TASK_FIELDS).map(([name, { read }]) => ({ name, read }));

/** The task's row, from what the record's row says of it (`meta`) and its payload. */
export const taskRow = (meta: RecordMeta, payload: Payload): TaskRow => {
  const row: Record<string, unknown> = {};
  for (const { name, read } of READS) row[name] = read(payload, meta);
  return row as TaskRow;
};

/** What may be sent as a field's value. */
export type SentValue<Name extends FieldsWith<"sent">> =
  | (Table[Name]["sent"] extends { readonly orNull: true } ? null : never)
  | (Table[Name]["sent"]["schema"]["type"] extends "array" ? readonly string[] : string);

/** The fields that tools accept. */
export type FieldInTools = {
  [Name in FieldsWith<"sent">]: Table[Name]["sent"] extends { readonly inTools: unknown }
    ? Name
    : never;
}[FieldsWith<"sent">];

export const fieldsInTools = (): readonly FieldInTools[] =>
  fieldsWith("sent").flatMap((name) =>
    "inTools" in TASK_FIELDS[name].sent ? [name as FieldInTools] : [],
  );

const FIELDS: readonly TaskField[] = Object.values(TASK_FIELDS);

/** The lists inside a task's payload whose items each have an author. */
export const CHILD_LISTS: readonly ChildList[] = FIELDS.flatMap(({ items }) => items ?? []);

/** Whether a field of a task's payload is one of these lists. */
export const isChildList = (field: string): field is ChildList =>
  CHILD_LISTS.some((list) => list === field);
