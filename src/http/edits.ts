import {
  addNote,
  cannotChange,
  createTask,
  editNote,
  fileTabs,
  patchTask,
  patchTasks,
} from "../db/records/edits.ts";
import type { Transaction } from "../db/transaction.ts";
import { type Caller, mayRead } from "../domain/people/account.ts";
import type { RecordRow } from "../domain/records/row.ts";
import { tabsOf } from "../domain/tasks/content.ts";
import { SENT, type Tabs } from "../server/tasks/fields.ts";
import { statusToStore } from "../server/tasks/status.ts";
import { invalid, notFound } from "../domain/base/refusal.ts";
import {
  type ApiContext,
  callerOf,
  checkedId,
  idOf,
  type Write,
  type WriteRoute,
} from "./route.ts";
import type {
  FileQuery,
  MoveBody,
  NoteBody,
  OverrideQuery,
  TabsQuery,
  TaskBody,
  TaskPatchBody,
  TaskPatchesBody,
} from "./schemas.ts";
import { fileInbox } from "../db/records/inbox.ts";
import { type FiledTabs, fileNewInbox, fileNewTabs } from "../db/records/file-new.ts";
import { checkAccess, READ } from "../server/checks/admission.ts";
import { type MovedTabs, moveTabsTo } from "../db/records/move-tabs.ts";
import { type Call, json, jsonList, nameRecord, type TextReply } from "../server/call.ts";
import { type Answer, recordWrite } from "../server/record-write.ts";
import type { MadeFolder } from "../db/records/folders.ts";
import type { TaskView } from "../db/records/reach.ts";
import { taskChildren, wholeTask } from "../db/records/lookup.ts";
import { readEpoch } from "../db/records/clock.ts";
import { markOf, withRev } from "../domain/base/rev.ts";
import { entityTag } from "../domain/calls/etag.ts";

/** `POST /tasks`: creates a task, with its tabs and notes if any were sent. */
export const postTask = async (
  context: ApiContext<unknown, TaskBody>,
): Promise<Write<RecordRow>> => {
  const caller = callerOf(context);
  const { tabs, notes, status, ...fields } = context.body;
  const draft = {
    ...fields,
    tabs: tabsOf(tabs ?? [], caller),
    notes: (notes ?? []).map((note) => (typeof note === "string" ? note : textOf(note))),
  };
  const stored = await statusToStore(context.store, caller, status);
  return (tx: Transaction) =>
    createTask(tx, { ...draft, ...(stored === undefined ? {} : { status: stored }) }, caller);
};

/** `PATCH /tasks/{id}`: changes the fields that were sent and keeps all others. */
export const patchTaskById = async (
  context: ApiContext<OverrideQuery, TaskPatchBody>,
): Promise<Write<RecordRow>> => {
  const caller = editorOf(context);
  const id = idOf(context);
  const { patch, echoed } = partsOf(context.body);
  const [first] = echoed.keys();
  // A key that cannot read must not learn what a field is by guessing.
  if (first !== undefined && !mayRead(caller)) throw cannotChange(first);
  const change = { patch, echoed, ifMatch: context.request.headers.get("if-match") };
  const status = await statusToStore(context.store, caller, patch.status);
  return (tx: Transaction) => patchTask(tx, id, { ...change, status }, caller);
};

/** Returns the caller, who may say that they know of another key's claim. */
const editorOf = (
  context: ApiContext<OverrideQuery>,
): Caller & { readonly overrides: boolean } => ({
  ...callerOf(context),
  overrides: context.query.override === "true",
});

/** What replies say beside the task itself: it may be another by now. */
const BESIDE: ReadonlySet<string> = new Set(["rev", "claimed_by", "claimed_until"]);

/** What a patch changes, and what it only sends back as it was read. */
const partsOf = (body: TaskPatchBody) => {
  const [patch, echoed] = [{ ...body }, new Map<string, unknown>()];
  for (const [name, value] of Object.entries(body))
    if (!(name in SENT)) {
      if (!BESIDE.has(name)) echoed.set(name, value);
      Reflect.deleteProperty(patch, name);
    }
  return { patch, echoed };
};

/** `POST /tasks/{id}/tabs`: appends tabs to the task. With `skip_existing`, only those that it does not hold. */
export const postTabs = (context: ApiContext<TabsQuery, Tabs>): Write<FiledTabs> => {
  const caller = editorOf(context);
  const tabs = tabsOf(context.body, caller);
  const id = idOf(context);
  if (skipsExisting(context)) return (tx) => fileNewTabs(tx, id, tabs, caller);
  return async (tx) => allNew(await fileTabs(tx, id, tabs, caller), tabs.length);
};

/** A key that cannot read must not ask in this way which addresses are there. */
const skipsExisting = (context: ApiContext<FileQuery>): boolean => {
  if (context.query.skip_existing !== "true") return false;
  checkAccess(callerOf(context), READ, context.now);
  return true;
};

const allNew = (row: RecordRow, count: number): FiledTabs => ({
  id: row.id,
  row,
  tabs: lastTabs(row, count),
});

/** `POST /tasks/{id}/tabs/move`: moves tabs here from another task. */
export const postMove = (context: ApiContext<OverrideQuery, MoveBody>): Write<MovedTabs> => {
  const caller = editorOf(context);
  const id = idOf(context);
  return (tx) => moveTabsTo(tx, id, context.body, caller);
};

/** `POST /tasks/{id}/notes`: adds a note. */
export const postNote = (context: ApiContext<OverrideQuery, NoteBody>): Write<RecordRow> => {
  const caller = editorOf(context);
  const text = textOf(context.body);
  const id = idOf(context);
  return (tx) => addNote(tx, id, text, caller);
};

/** `PATCH /tasks/{id}/notes/{note}`: gives a note that an agent wrote another text. */
export const patchNote = (context: ApiContext<OverrideQuery, NoteBody>): Write<ChangedNote> => {
  const caller = editorOf(context);
  const change = {
    id: checkedId(context.pathPart, () => notFound("note")),
    text: textOf(context.body),
    ifMatch: context.request.headers.get("if-match"),
  };
  const id = idOf(context);
  return async (tx) => ({ row: await editNote(tx, id, change, caller), note: change.id });
};

/** The task of a note that was changed, and the note's id as it was sent. */
type ChangedNote = { readonly row: RecordRow; readonly note: string };

/** `PATCH /tasks`: changes the same fields of several tasks, all or none. */
export const patchManyTasks = async (
  context: ApiContext<OverrideQuery, TaskPatchesBody>,
): Promise<Write<readonly RecordRow[]>> => {
  const caller = editorOf(context);
  const { ids, set } = context.body;
  if (context.request.headers.has("if-match"))
    throw invalid("If-Match names the version of one task. Send it with PATCH /tasks/{id}.");
  if (Object.keys(set).length === 0)
    throw invalid("set is empty. Send the fields that change, such as status.");
  const status = await statusToStore(context.store, caller, set.status);
  return (tx: Transaction) =>
    patchTasks(tx, ids, { patch: set, status, ifMatch: null, sentAs: "ids" }, caller);
};

const textOf = ({ text, content, body }: NoteBody): string => {
  const [found, ...more] = [text, content, body].filter((one) => one !== undefined);
  if (found === undefined) throw invalid("A note has no text. Send one in the field text.");
  if (more.length > 0) throw invalid("Send only one of text, content and body.");
  return found;
};

/** `POST /inbox/tabs`: files tabs without a task. With `skip_existing`, only those that the inbox does not hold. */
export const postInboxTabs = (context: ApiContext<FileQuery, Tabs>): Write<FiledTabs> => {
  const caller = callerOf(context);
  const tabs = tabsOf(context.body, caller);
  if (skipsExisting(context)) return (tx) => fileNewInbox(tx, tabs, caller);
  return async (tx) => allNew(await fileInbox(tx, tabs, caller), tabs.length);
};

/**
 * Runs a write and returns its reply. The call's trace is stored in the same transaction, so neither is
 * stored without the other.
 */
export const answerWrite = async (
  call: Call,
  route: WriteRoute,
  context: ApiContext,
): Promise<Answer> => {
  // What refuses the request as it was sent needs no transaction.
  const write = await route.handle(context);
  return recordWrite(context.service, call, write, async (value) => {
    const { status = route.success, ...reply } = await route.present(value, context);
    if (call.dryRun) return { status: 200, reply: onlyAsked(reply) };
    if (call.touched === null) call.touched = nameRecord(route.touches, value);
    return { status, reply };
  });
};

/** Returns the reply that the call would have had, with `dry_run: true` added. */
const onlyAsked = ({ body }: TextReply): TextReply => ({
  body: `${body.slice(0, -1)},"dry_run":true}`,
});

// The replies of endpoints that read or change one record.

/** Returns a task with its tabs and notes, and its ETag. */
export const showTask = async (row: TaskView, context: ApiContext): Promise<TextReply> => ({
  body: withRev(wholeTask(row), row.changedAt, await markFor(context)),
  headers: { etag: entityTag(row) },
});

/** Returns a task as lists show it, and its ETag. To a caller without `read`: its id and what was sent. */
export const showRow = async (
  row: RecordRow,
  context: ApiContext<unknown, TaskPatchBody>,
): Promise<TextReply> =>
  mayRead(callerOf(context))
    ? {
        body: withRev(row.row, row.changedAt, await markFor(context)),
        headers: { etag: entityTag(row) },
      }
    : json({ id: row.id, ...context.body });

/** Returns the tabs that were filed, and those that were there already. */
export const showTabs = ({ tabs }: FiledTabs): TextReply => json({ tabs });

/** Returns the tabs that were filed, and the task that they went into: to a caller without `read`, its id alone. */
export const showInboxTabs = async (
  { row, tabs }: FiledTabs,
  context: ApiContext<FileQuery, Tabs>,
): Promise<TextReply> =>
  jsonList(
    "tabs",
    tabs.map((tab) => JSON.stringify(tab)),
    {
      task: mayRead(callerOf(context))
        ? JSON.parse(withRev(row.row, row.changedAt, await markFor(context)))
        : { id: row.id },
    },
  );

/** A task's last `count` tabs. */
const lastTabs = (row: RecordRow, count: number) => taskChildren(row).tabs.slice(-count);

/**
 * Returns the tabs that were moved, the task that they are in now, and the one that they left, as lists show both. To a
 * caller without `read`: their ids.
 */
export const showMove = async (
  { task, from }: MovedTabs,
  context: ApiContext<unknown, MoveBody>,
): Promise<TextReply> => {
  if (!mayRead(callerOf(context))) {
    const tabs = context.body.tabs.map((id) => ({ id }));
    return json({ tabs, task: { id: task.id }, from: { id: from.id } });
  }
  const mark = await markFor(context);
  const tabs = lastTabs(task, context.body.tabs.length).map((tab) => JSON.stringify(tab));
  return jsonList("tabs", tabs, {
    task: JSON.parse(withRev(task.row, task.changedAt, mark)),
    from: JSON.parse(withRev(from.row, from.changedAt, mark)),
  });
};

/** Returns the note that was added: the task's last one. */
export const showNote = (row: RecordRow): TextReply => json(taskChildren(row).notes.at(-1));

/** Returns a note that was changed. To a caller without `read`: its id and what was sent. */
export const showChangedNote = ({ row, note }: ChangedNote, context: ApiContext): TextReply => {
  const { notes } = taskChildren(row);
  const shown = notes.find(({ id }) => id === note);
  return json(mayRead(callerOf(context)) ? shown : { id: note, text: shown?.text });
};

/** Returns tasks as lists show them. To a caller without `read`: their ids and what was sent. */
export const showRows = async (
  rows: readonly RecordRow[],
  context: ApiContext<unknown, TaskPatchesBody>,
): Promise<TextReply> => {
  if (!mayRead(callerOf(context)))
    return json({ tasks: rows.map(({ id }) => ({ id, ...context.body.set })) });
  const mark = await markFor(context);
  return jsonList(
    "tasks",
    rows.map(({ row, changedAt }) => withRev(row, changedAt, mark)),
  );
};

/** Returns a folder as lists show it. */
export const showProject = async (
  { text, stamp }: MadeFolder,
  context: ApiContext,
): Promise<TextReply> => ({
  body: withRev(text, stamp, await markFor(context)),
});

/** What stands for the epoch of the data in revisions. */
export const markFor = async ({ store }: Pick<ApiContext, "store">): Promise<string> =>
  markOf(await readEpoch(store.reader));
