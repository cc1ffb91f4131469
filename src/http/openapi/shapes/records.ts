import { Type } from "@sinclair/typebox";
import type { ValueSchema } from "../../../domain/tasks/task-field.ts";
import { fieldsWith, TASK_FIELDS } from "../../../domain/tasks/task-fields.ts";
import { count, orNull, RecordId, ref, time } from "./parts.ts";

// The schemas of replies. Each lists all its fields: the tests close every schema, so that a field missing here fails
// them.

/** A field as a task's row shows it. Other records show it in the same way. */
const shown = (schema: ValueSchema) => Type.Unsafe<unknown>(schema);

const TaskFields = Object.fromEntries(
  Object.entries(TASK_FIELDS).map(([name, field]) => [name, shown(field.shown)]),
);
const SentFields = Object.fromEntries(
  fieldsWith("sent").map((name) => {
    const schema = shown(TASK_FIELDS[name].shown);
    // An empty list is shown where null was sent.
    return [name, Type.Optional(name === "tags" ? orNull(schema) : schema)];
  }),
);
const { created_by, created_by_key, created_at, updated_at, deleted_at, colour } = TASK_FIELDS;
const Author = {
  created_by: shown(created_by.shown),
  created_by_key: shown(created_by_key.shown),
};

const ChildFields = {
  id: orNull(Type.String({ description: "Null if the extension stored it without an id." })),
  ...Author,
  created_at: orNull(time("Null if it is not known.")),
};

const Rev = {
  rev: Type.String({ description: "Names this version of the record. Do not look inside." }),
};

const Claimed = {
  claimed_by: orNull(Type.String({ description: "The name of the key that works on it." })),
  claimed_until: orNull(time("Until when.")),
};

/** Tasks, tabs, notes and folders as REST shows them. */
export const RECORDS = {
  TaskRow: Type.Object(
    { ...TaskFields, ...Claimed, ...Rev },
    { description: "A task as lists show it." },
  ),
  Task: Type.Object(
    {
      ...TaskFields,
      ...Claimed,
      ...Rev,
      tabs: Type.Array(ref("Tab")),
      notes: Type.Array(ref("Note")),
    },
    { description: "A task with its tabs and notes, each in the order they were added." },
  ),
  ListedTask: Type.Object(
    {
      ...TaskFields,
      ...Claimed,
      ...Rev,
      tabs: Type.Optional(Type.Array(ref("Tab"))),
      notes: Type.Optional(Type.Array(ref("Note"))),
    },
    { description: "A task as lists show it, with the lists that `include` names." },
  ),
  TaskReceipt: Type.Object(
    { id: RecordId, ...SentFields },
    { description: "What a key without `read` gets for a change: the task's id and what it sent." },
  ),
  Tab: Type.Object(
    {
      ...ChildFields,
      url: Type.String({
        description: "The url as it was stored. A device may store a url with any scheme.",
      }),
      title: Type.String({ description: "The url, if the tab has no title." }),
    },
    { description: "A browser tab saved in a task." },
  ),
  FiledTab: Type.Object(
    {
      ...ChildFields,
      url: Type.String(),
      title: Type.String(),
      existing: Type.Optional(
        Type.Literal(true, { description: "It was there already, and is not filed again." }),
      ),
    },
    { description: "A tab that was sent, as its task has it." },
  ),
  Note: Type.Object({ ...ChildFields, text: Type.String() }, { description: "A note on a task." }),
  NoteReceipt: Type.Object(
    { id: RecordId, text: Type.String() },
    { description: "What a key without `read` gets: the note's id and what it sent." },
  ),
  Folder: Type.Object(
    {
      id: RecordId,
      name: Type.String(),
      colour: shown(colour.shown),
      ...Author,
      created_at: shown(created_at.shown),
      updated_at: shown(updated_at.shown),
      deleted_at: shown(deleted_at.shown),
      task_count: count("How many open tasks it has. GET /tasks?project_id= lists them."),
      ...Rev,
    },
    { description: "A folder groups tasks. Paths and fields call it a project." },
  ),
};

const ServerTime = time(
  "Send it as the next `since`. Every page repeats the value of the first page.",
);

/** Replies that contain records. */
export const LISTS = {
  TaskPage: Type.Object({
    tasks: Type.Array(ref("ListedTask")),
    next_cursor: orNull(
      Type.String({
        description: "Send it as `cursor` to get the next page. Null on the last page.",
      }),
    ),
    server_time: ServerTime,
    partial: Type.Optional(
      Type.Literal(true, {
        description:
          "Only in a search by `q` or `url` that left tasks out: more tasks match than one search looks at, which are the 10,000 that changed last. Use more words or filters.",
      }),
    ),
  }),
  TaskRows: Type.Object(
    { tasks: Type.Array(ref("TaskRow")) },
    { description: "Tasks as lists show them." },
  ),
  TaskReceipts: Type.Object(
    { tasks: Type.Array(ref("TaskReceipt")) },
    { description: "What a key without `read` gets: the ids of the tasks, and what it sent." },
  ),
  Inbox: Type.Union([
    ref("Task"),
    Type.Object(
      { id: Type.Null(), tabs: Type.Array(ref("Tab"), { maxItems: 0 }) },
      { description: "There is no inbox." },
    ),
  ]),
  MovedTabs: Type.Object(
    { tabs: Type.Array(ref("Tab")), task: ref("TaskRow"), from: ref("TaskRow") },
    { description: "The tabs, the task that they are in now, and the one that they left." },
  ),
  MovedTabsReceipt: Type.Object(
    {
      tabs: Type.Array(Type.Object({ id: RecordId })),
      task: Type.Object({ id: RecordId }),
      from: Type.Object({ id: RecordId }),
    },
    { description: "What a key without `read` gets: the ids of the tabs and of both tasks." },
  ),
  FiledTabs: Type.Object(
    { tabs: Type.Array(ref("FiledTab")) },
    { description: "The tabs that were sent." },
  ),
  FiledInboxTabs: Type.Object(
    { tabs: Type.Array(ref("FiledTab")), task: ref("TaskRow") },
    { description: "The tabs that were sent, and the task that they are in." },
  ),
  FiledInboxTabsReceipt: Type.Object(
    { tabs: Type.Array(ref("FiledTab")), task: Type.Object({ id: RecordId }) },
    { description: "What a key without `read` gets: the new tabs, and the id of their task." },
  ),
  FolderList: Type.Object({ projects: Type.Array(ref("Folder")) }),
};
