import { type TSchema, Type } from "@sinclair/typebox";
import { MOST, Tab } from "../../server/tasks/fields.ts";
import { fieldsWith, TASK_FIELDS } from "../../domain/tasks/task-fields.ts";
import { FolderBody, NoteBody, PushBody, TaskBody, TaskPatchBody } from "../schemas.ts";
import { ref } from "./shapes/parts.ts";
import { CHANGE } from "./shapes/sync.ts";

// What may be sent. The schemas are those by which a body is judged; what the handlers judge beside
// them is added here.

type Words = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Fields = Readonly<Record<string, TSchema>>;

/** Schemas that stand under a name of their own, wherever they are met. */
const NAMED = new Map<unknown, string>([
  [Tab, "NewTab"],
  [NoteBody, "NewNote"],
  [TaskBody, "NewTask"],
  [TaskPatchBody, "TaskChange"],
  [FolderBody, "NewFolder"],
]);

const TASK: Words = Object.fromEntries(
  fieldsWith("sent").map((name) => [name, TASK_FIELDS[name].sent.about]),
);

const TAB: Words = {
  url: {
    description:
      "From an API key, this must be a full http:// or https:// address without spaces, user name or password.",
    // Passed on to clients' own checks, where a NUL cannot be told from other text.
    pattern: "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
  },
  title: { description: "If you leave it out, the url is used." },
};

/** A note's text goes by three names, a folder's by two: one is needed, the first of them counts. */
const NOTE_NAMES = ["text", "content", "body"];
const FOLDER_NAMES = ["name", "title"];

/** What is sent as JSON, by name. */
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
    described(FolderBody, { colour: TASK_FIELDS.colour.sent.about }),
    FOLDER_NAMES,
  ),
  Change: CHANGE,
});

/** A schema of a body or query as the document shows it: parts with a name of their own by that. */
export const asSent = <Schema extends TSchema>(schema: Schema): TSchema => {
  const name = NAMED.get(schema);
  if (name !== undefined) return ref(name);
  if (schema === (PushBody as TSchema)) return { ...schema, items: ref("Change") };
  return withParts(schema, asSent);
};

const described = (schema: TSchema, words: Words): TSchema => {
  const shown = withoutRest(withParts(schema, (part) => withoutNul(asSent(part))));
  const fields = Object.entries(shown["properties"] as Fields).map(([name, field]) => [
    name,
    { ...withoutMust(field), ...words[name] },
  ]);
  return {
    ...shown,
    properties: Object.fromEntries(fields),
    // Anywhere in a body, whatever its value: nothing can be deleted over REST.
    not: { required: ["deleted_at"] },
  };
};

/** A schema whose parts are what `change` makes of them. */
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

/** The first of `names` that is there counts: so one of them must be. */
const oneNamed = (schema: TSchema, names: readonly string[]): TSchema =>
  Type.Unsafe({ anyOf: names.map((name) => ({ ...schema, required: [name] })) });

/** Said or not, unknown fields are passed over; said, generated clients would take any misspelt name. */
const withoutRest = ({ additionalProperties: _rest, ...schema }: TSchema): TSchema =>
  schema as TSchema;

/** What an error says that the value must be, the document says by other words. */
const withoutMust = ({ description: _must, ...schema }: TSchema): TSchema => schema as TSchema;

/** No text in a body may hold NUL. */
const withoutNul = (schema: TSchema): TSchema =>
  schema["type"] === "string" && schema["pattern"] === undefined
    ? { ...schema, pattern: "^[^\\u0000]*$" }
    : withParts(schema, withoutNul);

/** A query parameter's schema: what is judged as text is shown as what the text means. */
export const parameterSchema = (schema: Readonly<Record<string, unknown>>) => {
  const { description: _must, [MOST]: most, ...shown } = schema;
  if (most !== undefined) return { type: "integer", minimum: 1, maximum: most };
  return String(shown["enum"]) === "true,false" ? { type: "boolean" } : shown;
};
