import { type TProperties, Type } from "@sinclair/typebox";
import { Colour, Reference, Status, Tab, Text, Title } from "../server/tasks/fields.ts";
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

const Folder = Reference("a folder's id or exact name, from list_folders");

/** What may be set on a task, beside its title. */
export const TaskFields = {
  status: Type.Optional({
    ...Status,
    description:
      "1 to 64 printable characters; the known statuses are todo, in_progress, blocked, in_review, done, cancelled",
  }),
  colour: Type.Optional(Colour),
  folder: Type.Optional(Folder),
};

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

export { Text, Title };

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
