import { type TProperties, Type } from "@sinclair/typebox";
import { FILTERS, SENT, SENT_IF_ANY, Tab, Text } from "../server/tasks/fields.ts";
import { type FieldInTools, fieldsInTools, TASK_FIELDS } from "../domain/tasks/task-fields.ts";
import { TASK_FILTER_NAMES, TASK_FILTERS } from "../domain/tasks/task-filters.ts";
import { MAX_NOTES } from "../domain/tasks/note.ts";
import { MAX_TABS } from "../domain/tasks/tab.ts";

// The arguments of the tools, out of the same schemas as REST's bodies. `description` is read by agents, and in
// an error it says what a value must be.

/**
 * The arguments of a tool. Unknown ones are refused, not passed over as in REST: a model that makes up a name
 * would never learn that what it meant was not done.
 */
export const Arguments = <Known extends TProperties>(known: Known) =>
  Type.Object(known, { additionalProperties: false });

/** Characters of an id, as text.ts has it. */
const MAX_ID = 255;

export const TaskId = Type.String({
  minLength: 1,
  maxLength: MAX_ID,
  description: "a task's id, from find_tasks",
});

/** What may be set on a task. */
export const TaskFields = Object.fromEntries(
  fieldsInTools().map((name) => [
    name,
    { ...SENT_IF_ANY[name], ...TASK_FIELDS[name].sent.inTools },
  ]),
) as Pick<typeof SENT_IF_ANY, FieldInTools>;

/** The same where the title must be sent. */
export const NewTaskFields = { ...TaskFields, title: SENT.title };

/** The filters of one column. */
export const Filters = Object.fromEntries(
  TASK_FILTER_NAMES.map((name) => [
    name,
    { ...FILTERS[name], description: TASK_FILTERS[name].inTools },
  ]),
) as typeof FILTERS;

export const ManyTabs = Type.Array(Tab, {
  minItems: 1,
  maxItems: MAX_TABS,
  description: `1 to ${MAX_TABS} tabs, each with a url (http or https) and optionally a title`,
});

export const ManyNotes = Type.Array(Text, {
  minItems: 1,
  maxItems: MAX_NOTES,
  description: `1 to ${MAX_NOTES} notes, each a string`,
});

export { Text };

/** What a retry needs: every tool that adds takes it. */
export const ONCE = {
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[ -~]+$",
      description:
        "1 to 255 printable ASCII characters that you choose for this one call; a retry with the same key is not done twice",
    }),
  ),
};
