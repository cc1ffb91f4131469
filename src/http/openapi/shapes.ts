import { Type } from "@sinclair/typebox";
import type { ValueSchema } from "../../domain/tasks/task-field.ts";
import { TASK_FIELDS } from "../../domain/tasks/task-fields.ts";
import { count, oneOf, orNull, RecordId, ref, time } from "./parts.ts";

// What replies hold, shape by shape. They are written flat: the tests close each of them, so that a field
// which is not told here fails.

/** A field as a task's row shows it: other records show it in the same way. */
const shown = (schema: ValueSchema) => Type.Unsafe<unknown>(schema);

const TaskFields = Object.fromEntries(
  Object.entries(TASK_FIELDS).map(([name, field]) => [name, shown(field.shown)]),
);
const { created_by, created_by_key, created_at, updated_at, deleted_at, colour } = TASK_FIELDS;
const Author = {
  created_by: shown(created_by.shown),
  created_by_key: shown(created_by_key.shown),
};

const ChildFields = {
  id: orNull(Type.String({ description: "Null where the extension stored it without one." })),
  ...Author,
  created_at: orNull(time("Null where it is not known.")),
};

/** Tasks, tabs, notes and folders as REST shows them. */
export const RECORDS = {
  TaskRow: Type.Object(TaskFields, { description: "A task as lists show it." }),
  Task: Type.Object(
    { ...TaskFields, tabs: Type.Array(ref("Tab")), notes: Type.Array(ref("Note")) },
    { description: "A task with its tabs and notes, each in the order filed." },
  ),
  Tab: Type.Object(
    {
      ...ChildFields,
      url: Type.String({ description: "As it was stored; of any scheme where a device put it." }),
      title: Type.String({ description: "The url stands in for a missing one." }),
    },
    { description: "A browser tab saved into a task." },
  ),
  Note: Type.Object({ ...ChildFields, text: Type.String() }, { description: "A text on a task." }),
  Folder: Type.Object(
    {
      id: RecordId,
      name: Type.String(),
      colour: shown(colour.shown),
      ...Author,
      created_at: shown(created_at.shown),
      updated_at: shown(updated_at.shown),
      deleted_at: shown(deleted_at.shown),
      task_count: count("Its open tasks: those that GET /tasks?project_id= lists."),
    },
    { description: "A folder groups tasks; on the wire it is also called a project." },
  ),
};

const ServerTime = time("What to send as the next `since`. Every page repeats the first page's.");

/** Whole replies about records. */
export const LISTS = {
  TaskPage: Type.Object({
    tasks: Type.Array(ref("TaskRow")),
    next_cursor: orNull(
      Type.String({ description: "What to send as `cursor` for more, null on the last page." }),
    ),
    server_time: ServerTime,
  }),
  FiledTabs: Type.Object({ tabs: Type.Array(ref("Tab")) }, { description: "The tabs just filed." }),
  FiledInboxTabs: Type.Object(
    { tabs: Type.Array(ref("Tab")), task: ref("TaskRow") },
    { description: "The tabs just filed, and the task that took them." },
  ),
  FolderList: Type.Object({ projects: Type.Array(ref("Folder")) }),
};

const Restriction = orNull(
  Type.Object(
    {
      kind: oneOf(["folders", "inbox"]),
      folders: Type.Array(Type.String(), { description: "The ids of its folders." }),
    },
    { description: "What a key is kept to; null is the whole account, and a session's." },
  ),
);

/** Who calls, and what they may do. */
export const CALLERS = {
  Me: Type.Object({
    id: Type.String({ description: "The account's id." }),
    email: Type.String(),
    plan: oneOf(["free", "pro"]),
    credential: oneOf(["api_key", "session"]),
    scopes: Type.Array(oneOf(["read", "write"]), {
      description: "Write does not imply read.",
    }),
    restriction: Restriction,
    expires_at: orNull(time("When the credential ends, null for never.")),
  }),
  Entitlement: Type.Object({
    pro: Type.Boolean(),
    plan: oneOf(["free", "pro"]),
    source: Type.String({ examples: ["self_hosted"] }),
    expires_at: time("Until when this may be taken for granted without asking; or when Pro ended."),
    recheck_after: time("When to ask again."),
  }),
};
