import { type TSchema, Type } from "@sinclair/typebox";
import { LEAST, MOST, Tab } from "../../server/tasks/fields.ts";
import { ECHOED } from "../../server/checks/schema.ts";
import { fieldsWith, TASK_FIELDS } from "../../domain/tasks/task-fields.ts";
import { FolderBody, NoteBody, PushBody, TaskBody, TaskPatchBody } from "../schemas.ts";
import { ref } from "./shapes/parts.ts";
import { CHANGE } from "./shapes/sync.ts";

// What callers may send. The schemas are those that requests are checked against. What the handlers check is added
// here.

type Words = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Fields = Readonly<Record<string, TSchema>>;

/** Schemas that the document shows once, by name. */
const NAMED = new Map<unknown, string>([
  [Tab, "NewTab"],
  [NoteBody, "NewNote"],
  [TaskBody, "NewTask"],
  [TaskPatchBody, "TaskChange"],
  [FolderBody, "NewFolder"],
]);

/** Not blank, and without NUL: `withoutNul` skips a field that has a pattern already. */
const VISIBLE = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$";

const TASK: Words = {
  ...Object.fromEntries(fieldsWith("sent").map((name) => [name, TASK_FIELDS[name].sent.about])),
  title: { ...TASK_FIELDS.title.sent.about, pattern: VISIBLE },
};

const NAME = { description: "Not only blanks or invisible characters.", pattern: VISIBLE };

const TAB: Words = {
  url: {
    description:
      "From an API key, this must be a full http:// or https:// address without spaces, user name or password.",
    pattern: VISIBLE,
  },
  title: { description: "If you leave it out, the url is used." },
};

/** The names under which a note's text and a folder's name may be sent. Exactly one of them is required. */
const NOTE_NAMES = ["text", "content", "body"];
const FOLDER_NAMES = ["name", "title"];

/** The schemas of JSON bodies, by name. */
export const REQUESTS = (): Readonly<Record<string, TSchema>> => ({
  NewTask: described(TaskBody, {
    ...TASK,
    tabs: { description: "The task's tabs, in order." },
    notes: {
      description:
        "The task's notes, in order. Each is a string, or an object with the note's text.",
    },
  }),
  TaskChange: described(TaskPatchBody, TASK),
  NewTab: described(Tab, TAB),
  NewNote: oneNamed(described(NoteBody, {}), NOTE_NAMES),
  NewFolder: oneNamed(
    described(FolderBody, { name: NAME, title: NAME, colour: TASK_FIELDS.colour.sent.about }),
    FOLDER_NAMES,
  ),
  Change: CHANGE,
});

/** Returns a schema of a body or query as the document shows it: its named parts become references. */
export const asSent = <Schema extends TSchema>(schema: Schema): TSchema => {
  const name = NAMED.get(schema);
  if (name !== undefined) return ref(name);
  if (schema === (PushBody as TSchema)) return { ...schema, items: ref("Change") };
  return withParts(schema, asSent);
};

const described = (schema: TSchema, words: Words): TSchema => {
  const {
    [ECHOED]: _echoed,
    description: _must,
    ...shown
  } = withParts(schema, (part) => withoutNul(asSent(part)));
  const fields = Object.entries(shown["properties"] as Fields).map(([name, field]) => [
    name,
    { ...withoutMust(field), ...words[name] },
  ]);
  return {
    ...shown,
    // A field that was read may be sent back, but nobody has to.
    additionalProperties: false,
    properties: Object.fromEntries(fields),
    // Refused anywhere in a body, whatever its value: nothing can be deleted over REST.
    not: { required: ["deleted_at"] },
  };
};

/** Returns a copy of a schema with each of its parts passed through `change`. */
const withParts = (schema: TSchema, change: (part: TSchema) => TSchema): TSchema => {
  const { properties, items, anyOf } = schema;
  const changed = Object.entries((properties ?? {}) as Fields).map(([name, field]) => [
    name,
    change(field),
  ]);
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(changed) } : {}),
    ...(items ? { items: change(items as TSchema) } : {}),
    ...(anyOf ? { anyOf: (anyOf as readonly TSchema[]).map(change) } : {}),
  };
};

/** Returns a schema that requires exactly one of `names`. */
const oneNamed = (schema: TSchema, names: readonly string[]): TSchema =>
  Type.Unsafe({ oneOf: names.map((name) => ({ ...schema, required: [name] })) });

/** Removes a schema's `description`, which error messages use. The document has its own. */
const withoutMust = ({ description: _must, ...schema }: TSchema): TSchema => schema as TSchema;

/** Adds a pattern that excludes NUL to every text. */
const withoutNul = (schema: TSchema): TSchema =>
  schema["type"] === "string" && schema["pattern"] === undefined
    ? { ...schema, pattern: "^[^\\u0000]*$" }
    : withParts(schema, withoutNul);

/**
 * Returns a query parameter's schema as the document shows it. The server checks numbers and booleans as text; the
 * document shows their real types.
 */
export const parameterSchema = (schema: Readonly<Record<string, unknown>>) => {
  const { description: _must, [LEAST]: least, [MOST]: most, ...shown } = schema;
  if (most !== undefined) return { type: "integer", minimum: least, maximum: most };
  return String(shown["enum"]) === "true,false" ? { type: "boolean" } : shown;
};
