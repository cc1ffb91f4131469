import { addNote, createTask, fileTabs, patchTask } from "../db/records/edits.ts";
import type { TaskView } from "../db/records/reach.ts";
import type { RecordRow } from "../db/records/records.ts";
import { taskChildren, wholeTask } from "../db/records/task.ts";
import { tabsOf } from "../server/tasks/drafts.ts";
import type { Tabs } from "../server/tasks/fields.ts";
import { json, type TextReply } from "../server/reply.ts";
import { entityTag } from "../domain/calls/etag.ts";
import { invalid } from "../domain/base/refusal.ts";
import { type ApiContext, callerOf, idOf } from "./context.ts";
import type { NoteBody, TaskBody, TaskPatchBody } from "./schemas.ts";

/** `POST /tasks`: files a task, with tabs and notes if it brings some. */
export const postTask = (context: ApiContext<unknown, TaskBody>): Promise<RecordRow> => {
  const caller = callerOf(context);
  const { tabs, notes, ...fields } = context.body;
  const draft = {
    ...fields,
    tabs: tabsOf(tabs ?? [], caller),
    notes: (notes ?? []).map((note) => (typeof note === "string" ? note : textOf(note))),
  };
  return createTask(context.store, caller.account.id, draft, caller, context.now);
};

/** A task with its tabs and notes. */
export const showTask = (row: TaskView): TextReply => ({
  body: wholeTask(row),
  headers: { etag: entityTag(row) },
});

/** `PATCH /tasks/{id}`: changes what was sent, keeps all else. */
export const patchTaskById = (context: ApiContext<unknown, TaskPatchBody>): Promise<RecordRow> => {
  const caller = callerOf(context);
  const change = { patch: context.body, ifMatch: context.request.headers.get("if-match") };
  return patchTask(context.store, caller.account.id, idOf(context), change, caller, context.now);
};

/** A task as lists show it. */
export const showRow = (row: RecordRow): TextReply => ({
  body: row.row,
  headers: { etag: entityTag(row) },
});

/** `POST /tasks/{id}/tabs`: files tabs behind those that are there. */
export const postTabs = (context: ApiContext<unknown, Tabs>): Promise<RecordRow> => {
  const caller = callerOf(context);
  const tabs = tabsOf(context.body, caller);
  return fileTabs(context.store, caller.account.id, idOf(context), tabs, caller, context.now);
};

/** The tabs that were filed: the task's last ones. */
export const showTabs = (row: RecordRow, { body }: ApiContext<unknown, Tabs>): TextReply =>
  json({ tabs: lastTabs(row, body.length) });

/** `POST /tasks/{id}/notes`: adds a note. */
export const postNote = (context: ApiContext<unknown, NoteBody>): Promise<RecordRow> => {
  const caller = callerOf(context);
  const text = textOf(context.body);
  return addNote(context.store, caller.account.id, idOf(context), text, caller, context.now);
};

/** The note that was added: the task's last one. */
export const showNote = (row: RecordRow): TextReply => json(taskChildren(row).notes.at(-1));

/** A task's last `count` tabs. */
export const lastTabs = (row: RecordRow, count: number) => taskChildren(row).tabs.slice(-count);

const textOf = ({ text, content, body }: NoteBody): string => {
  const found = text ?? content ?? body;
  if (found === undefined) throw invalid("A note has no text. Send one in the field text.");
  return found;
};
