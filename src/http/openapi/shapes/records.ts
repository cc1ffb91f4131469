import { Type } from "@sinclair/typebox";
import { KNOWN_STATUSES } from "../../../domain/tasks/task.ts";
import { count, oneOf, orNull, RecordId, ref, time } from "./parts.ts";

// The schemas of replies. Each lists all its fields: the tests close every schema, so that a field missing here fails
// them.

const Author = {
  created_by: oneOf(
    ["agent", "person"],
    "Who created it. Docket takes this from the credential, never from a body. An API key counts as an agent.",
  ),
  created_by_key: orNull(
    Type.String({ description: "The name of the API key that created it, if one did." }),
  ),
};
const Colour = orNull(
  Type.String({ description: "Any text. The extension decides what it means." }),
);
const Deleted = orNull(time("Always null here, because deleted records are never returned."));

const TaskFields = {
  id: RecordId,
  title: Type.String({ description: "The title, or its first 1,000 characters if it is longer." }),
  status: Type.String({
    description:
      "The extension decides which statuses exist, so expect any text. The examples are the known ones.",
    examples: [...KNOWN_STATUSES],
  }),
  colour: Colour,
  folder: orNull(Type.String({ description: "The folder's id, the same as project_id." })),
  project_id: orNull(Type.String({ description: "The folder's id, or null for none." })),
  bucket_id: orNull(
    Type.String({ description: "The id of the extension's column that the task is in." }),
  ),
  ...Author,
  created_at: time("When the server first received it."),
  updated_at: time(
    "When it was last changed, by the clock of the device or server that changed it.",
  ),
  deleted_at: Deleted,
  tab_count: count("How many tabs it has."),
  note_count: count("How many notes it has."),
};

const ChildFields = {
  id: orNull(Type.String({ description: "Null if the extension stored it without an id." })),
  ...Author,
  created_at: orNull(time("Null if it is not known.")),
};

/** Tasks, tabs, notes and folders as REST shows them. */
export const RECORDS = {
  TaskRow: Type.Object(TaskFields, { description: "A task as lists show it." }),
  Task: Type.Object(
    { ...TaskFields, tabs: Type.Array(ref("Tab")), notes: Type.Array(ref("Note")) },
    { description: "A task with its tabs and notes, each in the order they were added." },
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
  Note: Type.Object({ ...ChildFields, text: Type.String() }, { description: "A note on a task." }),
  Folder: Type.Object(
    {
      id: RecordId,
      name: Type.String(),
      colour: Colour,
      ...Author,
      created_at: time("When the server first received it."),
      updated_at: time(
        "When it was last changed, by the clock of the device or server that changed it.",
      ),
      deleted_at: Deleted,
      task_count: count("How many open tasks it has. GET /tasks?project_id= lists them."),
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
    tasks: Type.Array(ref("TaskRow")),
    next_cursor: orNull(
      Type.String({
        description: "Send it as `cursor` to get the next page. Null on the last page.",
      }),
    ),
    server_time: ServerTime,
  }),
  FiledTabs: Type.Object({ tabs: Type.Array(ref("Tab")) }, { description: "The new tabs." }),
  FiledInboxTabs: Type.Object(
    { tabs: Type.Array(ref("Tab")), task: ref("TaskRow") },
    { description: "The new tabs, and the task that they were added to." },
  ),
  FolderList: Type.Object({ projects: Type.Array(ref("Folder")) }),
};
