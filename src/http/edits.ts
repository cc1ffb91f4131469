import { addNote, createTask, fileTabs, patchTask } from "../db/records/edits.ts";
import type { TaskView } from "../db/records/reach.ts";
import type { RecordRow } from "../domain/sync/row.ts";
import { taskChildren, wholeTask } from "../db/records/task.ts";
import { tabsOf } from "../server/tasks/drafts.ts";
import type { Tabs } from "../server/tasks/fields.ts";
import { json, type TextReply } from "../server/reply.ts";
import { entityTag } from "../domain/calls/etag.ts";
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

/** Replies with a task, its tabs and its notes. */
export const showTask = (row: TaskView): TextReply => ({
  body: wholeTask(row),
  headers: { etag: entityTag(row) },
});

/** `PATCH /tasks/{id}`: changes the fields that were sent and keeps all others. */
export const patchTaskById = (context: ApiContext<unknown, TaskPatchBody>): Write<RecordRow> => {
  const caller = callerOf(context);
  const id = idOf(context);
  const change = { patch: context.body, ifMatch: context.request.headers.get("if-match") };
  return (tx) => patchTask(tx, id, change, caller);
};

/** Replies with a task as lists show it. */
export const showRow = (row: RecordRow): TextReply => ({
  body: row.row,
  headers: { etag: entityTag(row) },
});

/** `POST /tasks/{id}/tabs`: appends tabs to the task. */
export const postTabs = (context: ApiContext<unknown, Tabs>): Write<RecordRow> => {
  const caller = callerOf(context);
  const tabs = tabsOf(context.body, caller);
  const id = idOf(context);
  return (tx) => fileTabs(tx, id, tabs, caller);
};

/** Replies with the tabs that were filed: the task's last ones. */
export const showTabs = (row: RecordRow, { body }: ApiContext<unknown, Tabs>): TextReply =>
  json({ tabs: lastTabs(row, body.length) });

/** `POST /tasks/{id}/notes`: adds a note. */
export const postNote = (context: ApiContext<unknown, NoteBody>): Write<RecordRow> => {
  const caller = callerOf(context);
  const text = textOf(context.body);
  const id = idOf(context);
  return (tx) => addNote(tx, id, text, caller);
};

/** Replies with the note that was added: the task's last one. */
export const showNote = (row: RecordRow): TextReply => json(taskChildren(row).notes.at(-1));

/** Returns a task's last `count` tabs. */
export const lastTabs = (row: RecordRow, count: number) => taskChildren(row).tabs.slice(-count);

const textOf = ({ text, content, body }: NoteBody): string => {
  const found = text ?? content ?? body;
  if (found === undefined) throw invalid("A note has no text. Send one in the field text.");
  return found;
};
