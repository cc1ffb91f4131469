import { authorOf, type Editor, seesTrash } from "../../domain/people/account.ts";
import {
  addNotes,
  addTabs,
  changeNote,
  checkDeviceTags,
  checkFields,
  type Content,
  type Filing,
  newTask,
  type NoteChange,
  sentFields,
  type TabDraft,
  type TaskDraft,
  type TaskPatch,
} from "../../domain/tasks/content.ts";
import { checkClaim } from "../../domain/tasks/claim.ts";
import { checkReview, checkWaiting, statusFor } from "../../domain/tasks/review.ts";
import { spelledAs } from "../../domain/tasks/tags.ts";
import { entityTag, namesTag } from "../../domain/calls/etag.ts";
import { checkRestriction, reaches } from "../../domain/people/api-key.ts";
import { fieldValue, listField, type Payload, sameJson } from "../../domain/base/payload.ts";
import { say } from "../../domain/base/message.ts";
import { invalid, Refusal, taskNotFound } from "../../domain/base/refusal.ts";
import { contentOf, type RecordRow } from "../../domain/records/row.ts";
import { shortenedTo } from "../../domain/base/text.ts";
import type { Transaction } from "../transaction.ts";
import { resolveContainers } from "./containers.ts";
import { editRecord, insertRecord, newId } from "./write.ts";
import { showing } from "./folders.ts";
import { wholeTask } from "./lookup.ts";

/** Creates a task with its tabs and notes. Refuses unknown folders and buckets. */
export const createTask = async (
  tx: Transaction,
  draft: TaskDraft,
  editor: Editor,
): Promise<RecordRow> => {
  checkFields(draft);
  checkRestriction(editor.restriction, "write to a task");
  if (editor.review) checkWaiting(await tx.records.countProposed(editor.name));
  return insertTask(tx, { ...draft, ...statusFor(editor, draft.status) }, editor);
};

/** Like `createTask`, but also allowed for keys that may only file into the inbox. */
export const insertTask = async (
  tx: Transaction,
  draft: TaskDraft,
  editor: Editor,
): Promise<RecordRow> => {
  const places = await resolveContainers(tx, draft, editor);
  checkStaysWithin(editor, { project_id: null, ...places });
  const filing = { author: authorOf(editor), now: tx.now, newId };
  const content = newTask(draft, places, filing);
  const key = { table: "sync_tasks", id: newId(tx.now) } as const;
  const task = await insertRecord(tx, key, content, { loss: "edited", by: editor });
  return showing(tx, task, editor);
};

/**
 * Changes the fields that were sent and keeps all others, including unknown ones. Writes nothing if nothing
 * changes. `ifMatch` is the `If-Match` header; refused if the task has changed since (RFC 9110, section
 * 13.1.1). `echoed` are fields that nobody can set, sent back as they were read; refused if they are not as they are.
 */
export const patchTask = async (
  tx: Transaction,
  id: string,
  { patch, status, ifMatch, echoed = NOTHING }: TaskChange,
  editor: Editor,
): Promise<RecordRow> => {
  checkFields(patch);
  checkRestriction(editor.restriction, "write to a task");
  const before = await writableTask(tx, id, editor);
  checkMatches(before, ifMatch);
  const task = await (echoed.size === 0 ? before : showing(tx, before, editor));
  checkEchoed(task, echoed);
  const isMeant = status !== undefined && patch.status !== before.status;
  const meant: { readonly status?: string } = isMeant ? { status } : {};
  checkReview(editor, before.status ?? "", meant.status ?? before.status ?? "");
  const containers = await resolveContainers(tx, patch, editor);
  checkStaysWithin(editor, containers);
  const content = patched(before, patch, { ...meant, ...containers }, editor);
  const after = await editRecord(tx, before, content, { loss: "edited", by: editor });
  return showing(tx, after, editor);
};

/** The task's content with the fields that were sent, and with others that were looked up for them. */
const patched = (before: RecordRow, patch: TaskPatch, found: Payload, editor: Editor): Content => {
  const { payload, filed } = contentOf(before);
  const tags = patch.tags && spelledAs(patch.tags, listField(payload, "tags"));
  if (editor.kind === "api_key") checkDeviceTags({ payload, filed }, tags ?? []);
  const sent = sentFields(tags ? { ...patch, tags } : patch);
  return { payload: withFields(payload, { ...sent, ...found }), filed };
};

type TaskChange = {
  readonly patch: TaskPatch;
  /** What the status that was sent means, unless the task has exactly that one. */
  readonly status?: string | undefined;
  readonly ifMatch: string | null;
  readonly echoed?: ReadonlyMap<string, unknown>;
};

const NOTHING: ReadonlyMap<string, unknown> = new Map();

const checkEchoed = (before: RecordRow, echoed: ReadonlyMap<string, unknown>): void => {
  if (echoed.size === 0) return;
  const shown = JSON.parse(wholeTask(before)) as Payload;
  for (const [name, value] of echoed) if (!sameJson(shown[name], value)) throw cannotChange(name);
};

/** The refusal of a field that a patch cannot change, with the call that can. */
export const cannotChange = (name: string): Refusal =>
  invalid(`PATCH cannot change ${name}. ${INSTEAD[name] ?? "Leave it out."}`);

const INSTEAD: Readonly<Record<string, string>> = {
  tabs: "Add tabs with POST /tasks/{id}/tabs.",
  notes:
    "Add a note with POST /tasks/{id}/notes, or change one of an agent with PATCH /tasks/{id}/notes/{note}.",
  folder_name: "Send folder, with the id or exact name of the folder.",
};

/** Sets fields. Setting an absent field to null changes nothing. */
const withFields = (payload: Payload, fields: Payload): Payload => ({
  ...payload,
  ...Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => !sameJson(value, fieldValue(payload, field))),
  ),
});

/** Appends tabs to the task. Returns the task; the new tabs are its last ones. */
export const fileTabs = (
  tx: Transaction,
  id: string,
  tabs: readonly TabDraft[],
  editor: Editor,
): Promise<RecordRow> =>
  fileInto(tx, id, (content, filing) => addTabs(content, tabs, filing), editor);

/** Adds a note to the task. Returns the task; the new note is its last one. */
export const addNote = (
  tx: Transaction,
  id: string,
  text: string,
  editor: Editor,
): Promise<RecordRow> =>
  fileInto(tx, id, (content, filing) => addNotes(content, [text], filing), editor);

/** Gives a note of the task another text (see `changeNote`). The text before is in the history. */
export const editNote = async (
  tx: Transaction,
  id: string,
  { ifMatch, ...change }: NoteChange & { readonly ifMatch: string | null },
  editor: Editor,
): Promise<RecordRow> => {
  checkRestriction(editor.restriction, "write to a task");
  const before = await writableTask(tx, id, editor);
  checkMatches(before, ifMatch);
  const content = changeNote(contentOf(before), change, editor);
  return editRecord(tx, before, content, { loss: "edited", by: editor });
};

/**
 * Changes the same fields of several tasks, all or none. Refuses (422) with the place of the first id that is named twice,
 * or that names no task within reach.
 */
export const patchTasks = async (
  tx: Transaction,
  ids: readonly string[],
  { sentAs, ...change }: TaskChange & { readonly sentAs: string },
  editor: Editor,
): Promise<readonly RecordRow[]> => {
  const rows: RecordRow[] = [];
  for (const [at, id] of ids.entries()) {
    const refused = (problem: string): Refusal =>
      invalid(
        `${sentAs}.${at} ${problem}: ${JSON.stringify(shortenedTo(id, 80))}. Nothing was changed.`,
      );
    if (ids.indexOf(id) < at) throw refused("is named twice");
    try {
      rows.push(await patchTask(tx, id, change, editor));
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.reason === "not_found")
        throw refused("is no task that can be changed here");
      throw thrown;
    }
  }
  return rows;
};

const fileInto = async (
  tx: Transaction,
  id: string,
  add: (content: Content, filing: Filing) => Content,
  editor: Editor,
): Promise<RecordRow> => {
  checkRestriction(editor.restriction, "write to a task");
  const before = await writableTask(tx, id, editor);
  const filing = { author: authorOf(editor), now: tx.now, newId };
  const cause = { loss: "edited", by: editor } as const;
  const task = await editRecord(tx, before, add(contentOf(before), filing), cause);
  return showing(tx, task, editor);
};

/**
 * A task that the editor may change. Missing and deleted tasks, and those outside a restriction, are not
 * found; for a key, neither are tasks in a trash bucket.
 */
export const writableTask = async (
  tx: Transaction,
  id: string,
  editor: Editor,
): Promise<RecordRow> => {
  const task = await reachedTask(tx, id, editor);
  await minding(tx, id, editor);
  return task;
};

/** The same, even if another key has claimed the task. */
export const reachedTask = async (
  tx: Transaction,
  id: string,
  editor: Editor,
): Promise<RecordRow> => {
  const [task = null] = await tx.records.find([{ table: "sync_tasks", id }]);
  if (task === null || task.deletedAt !== null || !reaches(editor.restriction, task.folderId))
    throw taskNotFound();
  if (task.trashed === 1 && !seesTrash(editor)) throw taskNotFound();
  return task;
};

/** Refuses a key's write to a task that another key has claimed. A write by the holder renews the claim. */
const minding = async (tx: Transaction, taskId: string, editor: Editor): Promise<void> => {
  if (editor.kind !== "api_key") return;
  const claim = await tx.claims.of(taskId);
  checkClaim(claim, editor);
  if (claim?.keyId !== editor.id) return;
  const until = Math.max(claim.until, tx.now + claim.length);
  await tx.claims.put({ ...claim, until });
};

/**
 * A key restricted to folders cannot find any other folder. So the only way out of its folders is to no
 * folder at all.
 */
const checkStaysWithin = ({ restriction }: Editor, containers: Payload): void => {
  if (restriction?.kind !== "folders" || containers["project_id"] !== null) return;
  throw invalid(
    say`This key is restricted to its folders. Send one of them as folder. ${{ call: "listFolders" }} lists them.`,
  );
};

/** Refuses a task that is not at the version that `If-Match` names (RFC 9110, section 13.1.1). */
const checkMatches = (task: RecordRow, ifMatch: string | null): void => {
  if (ifMatch === null || namesTag(ifMatch, entityTag(task))) return;
  throw new Refusal(
    "changed_meanwhile",
    "The task has changed since you read it. Read it again, then decide.",
  );
};
