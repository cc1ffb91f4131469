import { type Actor, authorOf, type Editor } from "../../domain/people/caller.ts";
import {
  addNotes,
  addTabs,
  type Content,
  type Filing,
  newTask,
} from "../../domain/tasks/content.ts";
import {
  checkFields,
  sentFields,
  type TabDraft,
  type TaskDraft,
  type TaskPatch,
} from "../../domain/tasks/draft.ts";
import { entityTag, namesTag } from "../../domain/calls/etag.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { fieldValue, type Payload, sameJson } from "../../domain/base/payload.ts";
import { say } from "../../domain/base/message.ts";
import { invalid, notFound, Refusal } from "../../domain/base/refusal.ts";
import type { Replacement } from "../history/versions.ts";
import { checkRestriction } from "../../domain/people/restriction.ts";
import { newId } from "./ids.ts";
import { findTask } from "./reach.ts";
import type { Store } from "../store.ts";
import { resolveContainers } from "./containers.ts";
import { filedOf, payloadOf, type RecordRow } from "./records.ts";
import { editRecord, insertRecord } from "./save.ts";
import { trashFinder } from "./trash.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** Files a new task with its tabs and notes. Refuses unknown folders and buckets. */
export const createTask = (
  store: Store,
  accountId: number,
  draft: TaskDraft,
  editor: Editor,
  now: Instant,
): Promise<RecordRow> => {
  checkFields(draft);
  checkRestriction(editor.restriction, "write to a task");
  return store.writer.write((tx) => insertTask(tx, accountId, draft, editor, now));
};

export const insertTask = (
  tx: Tx,
  accountId: number,
  draft: TaskDraft,
  editor: Editor,
  now: Instant,
): RecordRow => {
  const places = placesOf(tx, accountId, draft, editor);
  checkStaysWithin(editor, { project_id: null, ...places });
  const content = newTask(draft, places, { author: authorOf(editor), now, newId });
  const task = { accountId, table: "sync_tasks" as const, id: newId(now) };
  return insertRecord(tx, task, content, edited(editor, now));
};

/**
 * Changes the fields that were sent and keeps all others, unknown ones included. Where nothing would
 * change, nothing is written. `ifMatch` is the `If-Match` field: refused if the task is another
 * version by now.
 */
export const patchTask = (
  store: Store,
  accountId: number,
  id: string,
  { patch, ifMatch }: { readonly patch: TaskPatch; readonly ifMatch: string | null },
  editor: Editor,
  now: Instant,
): Promise<RecordRow> => {
  checkFields(patch);
  checkRestriction(editor.restriction, "write to a task");
  return store.writer.write((tx) => {
    const before = writableTask(tx, accountId, id, editor);
    if (ifMatch !== null && !namesTag(ifMatch, entityTag(before))) throw changedMeanwhile();
    const places = placesOf(tx, accountId, patch, editor);
    checkStaysWithin(editor, places);
    const fields = { ...sentFields(patch), ...places };
    const { payload, filed } = contentOf(before);
    const content = { payload: withFields(payload, fields), filed };
    return editRecord(tx, before, content, edited(editor, now));
  });
};

/** Sets fields; one that is absent is null already. */
const withFields = (payload: Payload, fields: Payload): Payload => ({
  ...payload,
  ...Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !sameJson(value, fieldValue(payload, field))),
  ),
});

/** Puts tabs behind the task's own. Returns the task, whose last tabs they are. */
export const fileTabs = (
  store: Store,
  accountId: number,
  id: string,
  tabs: readonly TabDraft[],
  editor: Editor,
  now: Instant,
): Promise<RecordRow> =>
  fileInto(store, accountId, id, (content, filing) => addTabs(content, tabs, filing), editor, now);

/** Adds a note to the task. Returns the task, whose last note it is. */
export const addNote = (
  store: Store,
  accountId: number,
  id: string,
  text: string,
  editor: Editor,
  now: Instant,
): Promise<RecordRow> =>
  fileInto(
    store,
    accountId,
    id,
    (content, filing) => addNotes(content, [text], filing),
    editor,
    now,
  );

const fileInto = (
  store: Store,
  accountId: number,
  id: string,
  add: (content: Content, filing: Filing) => Content,
  editor: Editor,
  now: Instant,
): Promise<RecordRow> => {
  checkRestriction(editor.restriction, "write to a task");
  return store.writer.write((tx) => {
    const before = writableTask(tx, accountId, id, editor);
    const filing = { author: authorOf(editor), now, newId };
    return editRecord(tx, before, add(contentOf(before), filing), edited(editor, now));
  });
};

/** A task that the editor may write to: for a key, one in a trash bucket is not there. */
const writableTask = (tx: Tx, accountId: number, id: string, editor: Editor): RecordRow => {
  const row = findTask(tx.orm, accountId, editor.restriction, id);
  if (row.trashed === 1 && editor.kind === "api_key") throw notFound("task");
  return row;
};

const placesOf = (tx: Tx, accountId: number, patch: TaskPatch, editor: Editor): Payload =>
  resolveContainers(tx.orm, accountId, patch, editor, trashFinder(tx.orm, accountId));

/** A key that is kept to folders finds no other; so what it puts outside them, it puts into none. */
const checkStaysWithin = ({ restriction }: Editor, places: Payload): void => {
  if (restriction?.kind !== "folders" || places["project_id"] !== null) return;
  throw invalid(
    say`This key is restricted to its folders. Send one of them as folder. ${{ call: "listFolders" }} lists them.`,
  );
};

/** What edits over REST are to the versions that they replace. */
export const edited = (by: Actor, now: Instant): Replacement => ({ loss: "edited", by, now });

const changedMeanwhile = (): Refusal =>
  new Refusal(
    "changed_meanwhile",
    "The task has changed since you read it. Read it again, then decide.",
  );

export const contentOf = (row: RecordRow): Content => ({
  payload: payloadOf(row),
  filed: filedOf(row),
});
