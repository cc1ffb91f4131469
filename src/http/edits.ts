import { addNote, createTask, fileTabs, patchTask } from "../db/records/edits.ts";
import type { RecordRow } from "../domain/sync/row.ts";
import { tabsOf } from "../domain/tasks/draft.ts";
import type { Tabs } from "../server/tasks/fields.ts";
import { invalid } from "../domain/base/refusal.ts";
import { type ApiContext, callerOf, idOf } from "./context.ts";
import type { Write } from "./route.ts";
import type { NoteBody, TaskBody, TaskPatchBody } from "./schemas.ts";

/** `POST /tasks`: creates a task, with its tabs and notes if any were sent. */
export const postTask = (context: ApiContext<unknown, TaskBody>): Write<RecordRow> => {
  const caller = callerOf(context);
  const { tabs, notes, ...fields } = context.body;
  const draft = {
    ...fields,
    tabs: tabsOf(tabs ?? [], caller),
    notes: (notes ?? []).map((note) => (typeof note === "string" ? note : textOf(note))),
  };
  return (tx) => createTask(tx, draft, caller);
};

/** `PATCH /tasks/{id}`: changes the fields that were sent and keeps all others. */
export const patchTaskById = (context: ApiContext<unknown, TaskPatchBody>): Write<RecordRow> => {
  const caller = callerOf(context);
  const id = idOf(context);
  const change = { patch: context.body, ifMatch: context.request.headers.get("if-match") };
  return (tx) => patchTask(tx, id, change, caller);
};

/** `POST /tasks/{id}/tabs`: appends tabs to the task. */
export const postTabs = (context: ApiContext<unknown, Tabs>): Write<RecordRow> => {
  const caller = callerOf(context);
  const tabs = tabsOf(context.body, caller);
  const id = idOf(context);
  return (tx) => fileTabs(tx, id, tabs, caller);
};

/** `POST /tasks/{id}/notes`: adds a note. */
export const postNote = (context: ApiContext<unknown, NoteBody>): Write<RecordRow> => {
  const caller = callerOf(context);
  const text = textOf(context.body);
  const id = idOf(context);
  return (tx) => addNote(tx, id, text, caller);
};

const textOf = ({ text, content, body }: NoteBody): string => {
  const found = text ?? content ?? body;
  if (found === undefined) throw invalid("A note has no text. Send one in the field text.");
  return found;
};
