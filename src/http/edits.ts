import { addNote, createTask, fileTabs, patchTask } from "../db/edits.ts";
import type { ShownTask } from "../db/leash.ts";
import type { RecordRow } from "../db/records.ts";
import { taskChildren, wholeTask } from "../db/task.ts";
import { tabsOf } from "../door/drafts.ts";
import type { Tabs } from "../door/fields.ts";
import { json, type TextReply } from "../door/reply.ts";
import { entityTag } from "../etag.ts";
import { invalid } from "../refusal.ts";
import { type Ask, callerOf, idOf } from "./ask.ts";
import type { NoteBody, TaskBody, TaskPatchBody } from "./schemas.ts";

/** `POST /tasks`: files a task, with tabs and notes if it brings some. */
export const postTask = (ask: Ask<unknown, TaskBody>): Promise<RecordRow> => {
  const caller = callerOf(ask);
  const { tabs, notes, ...fields } = ask.body;
  const draft = {
    ...fields,
    tabs: tabsOf(tabs ?? [], caller),
    notes: (notes ?? []).map((note) => (typeof note === "string" ? note : textOf(note))),
  };
  return createTask(ask.store, caller.account.id, draft, caller, ask.now);
};

/** A task with its tabs and notes. */
export const showTask = (row: ShownTask): TextReply => ({
  body: wholeTask(row),
  headers: { etag: entityTag(row) },
});

/** `PATCH /tasks/{id}`: changes what was sent, keeps all else. */
export const patchTaskById = (ask: Ask<unknown, TaskPatchBody>): Promise<RecordRow> => {
  const caller = callerOf(ask);
  const change = { patch: ask.body, ifMatch: ask.request.headers.get("if-match") };
  return patchTask(ask.store, caller.account.id, idOf(ask), change, caller, ask.now);
};

/** A task as lists show it. */
export const showRow = (row: RecordRow): TextReply => ({
  body: row.row,
  headers: { etag: entityTag(row) },
});

/** `POST /tasks/{id}/tabs`: files tabs behind those that are there. */
export const postTabs = (ask: Ask<unknown, Tabs>): Promise<RecordRow> => {
  const caller = callerOf(ask);
  const tabs = tabsOf(ask.body, caller);
  return fileTabs(ask.store, caller.account.id, idOf(ask), tabs, caller, ask.now);
};

/** The tabs that were filed: the task's last ones. */
export const showTabs = (row: RecordRow, { body }: Ask<unknown, Tabs>): TextReply =>
  json({ tabs: lastTabs(row, body.length) });

/** `POST /tasks/{id}/notes`: adds a note. */
export const postNote = (ask: Ask<unknown, NoteBody>): Promise<RecordRow> => {
  const caller = callerOf(ask);
  const text = textOf(ask.body);
  return addNote(ask.store, caller.account.id, idOf(ask), text, caller, ask.now);
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
