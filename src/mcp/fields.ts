import { type TProperties, Type } from "@sinclair/typebox";
import { FILTERS, SENT, SENT_IF_ANY, Tab, Text } from "../server/tasks/fields.ts";
import { type FieldInTools, fieldsInTools, TASK_FIELDS } from "../domain/tasks/task-fields.ts";
import { TASK_FILTER_NAMES, TASK_FILTERS } from "../domain/tasks/task-filters.ts";
import { MAX_NOTES } from "../domain/tasks/note.ts";
import { MAX_TABS } from "../domain/tasks/tab.ts";

// The arguments of tools, built from the same schemas as REST's bodies. Agents read `description`, and errors
// use it to say what a value must be.

/**
 * The arguments of a tool. Unknown ones are refused, as in REST: a model that makes up an argument would
 * otherwise never learn that it had no effect.
 */
export const Arguments = <Known extends TProperties>(known: Known) =>
  Type.Object(known, { additionalProperties: false });

/** The longest id, in characters, as in text.ts. */
const MAX_ID = 255;

export const TaskId = Type.String({
  minLength: 1,
  maxLength: MAX_ID,
  description: "a task's id, from find_tasks",
});

/** The fields of a task that tools can set. */
export const TaskFields = Object.fromEntries(
  fieldsInTools().map((name) => [
    name,
    { ...SENT_IF_ANY[name], ...TASK_FIELDS[name].sent.inTools },
  ]),
) as Pick<typeof SENT_IF_ANY, FieldInTools>;

/** The same, with the title required. */
export const NewTaskFields = { ...TaskFields, title: SENT.title };

/** The filters that compare one column. */
export const Filters = Object.fromEntries(
  TASK_FILTER_NAMES.map((name) => [
    name,
    { ...FILTERS[name], description: TASK_FILTERS[name].inTools },
  ]),
) as typeof FILTERS;

export const ManyTabs = Type.Array(Tab, {
  minItems: 1,
  maxItems: MAX_TABS,
  description: 'a list, such as [{"url": "https://…"}]',
});

export const ManyNotes = Type.Array(Text, {
  minItems: 1,
  maxItems: MAX_NOTES,
  description: 'a list, such as ["Ask bob."]',
});

export { Text };

/** The argument that makes a retry safe. Every tool that adds something accepts it. */
export const ONCE = {
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[ -~]+$",
      description:
        "1 to 255 printable ASCII characters that you choose for this one call; a retry with it is not done twice",
    }),
  ),
};
