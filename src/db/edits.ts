import { type Actor, authorOf } from "../caller.ts";
import { addNotes, addTabs, type Content, type Filing, newTask } from "../content.ts";
import { checkStatus, type TabDraft, type TaskDraft, type TaskPatch } from "../draft.ts";
import { entityTag, namesTag } from "../etag.ts";
import type { Instant } from "../instant.ts";
import type { Payload } from "../payload.ts";
import { notFound, Refusal } from "../refusal.ts";
import type { Deed } from "./history.ts";
import { newId } from "./ids.ts";
import type { Store } from "./open.ts";
import { resolvePlaces } from "./places.ts";
import { filedOf, findRecord, payloadOf, type RecordRow } from "./records.ts";
import { editRecord, insertRecord } from "./save.ts";
import { trashFinder } from "./trash.ts";
import type { Tx } from "./writer.ts";

/** Files a new task with its tabs and notes. Refuses unknown folders and buckets. */
export const createTask = (
  store: Store,
  accountId: number,
  draft: TaskDraft,
  actor: Actor,
  now: Instant,
): Promise<RecordRow> => {
  checkStatus(draft.status);
  return store.writer.write((tx) => insertTask(tx, accountId, draft, actor, now));
};

export const insertTask = (
  tx: Tx,
  accountId: number,
  draft: TaskDraft,
  actor: Actor,
  now: Instant,
): RecordRow => {
  const places = placesOf(tx, accountId, draft, actor);
  const content = newTask(draft, places, { author: authorOf(actor), now, newId });
  const task = { accountId, table: "sync_tasks" as const, id: newId(now) };
  return insertRecord(tx, task, content, edited(actor, now));
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
  actor: Actor,
  now: Instant,
): Promise<RecordRow> => {
  checkStatus(patch.status);
  const { title, status, colour } = patch;
  const sent = Object.entries({ title, status, colour }).filter(([, value]) => value !== undefined);
  return store.writer.write((tx) => {
    const before = writableTask(tx, accountId, id, actor);
    if (ifMatch !== null && !namesTag(ifMatch, entityTag(before))) throw changedMeanwhile();
    const fields = { ...Object.fromEntries(sent), ...placesOf(tx, accountId, patch, actor) };
    const { payload, filed } = contentOf(before);
    const content = { payload: withFields(payload, fields), filed };
    return editRecord(tx, before, content, edited(actor, now));
  });
};

/** Sets fields; one that is absent is null already. */
const withFields = (payload: Payload, fields: Payload): Payload => ({
  ...payload,
  ...Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value !== (payload[field] ?? null)),
  ),
});

/** Puts tabs behind the task's own. Returns the task, whose last tabs they are. */
export const fileTabs = (
  store: Store,
  accountId: number,
  id: string,
  tabs: readonly TabDraft[],
  actor: Actor,
  now: Instant,
): Promise<RecordRow> =>
  fileInto(store, accountId, id, (content, filing) => addTabs(content, tabs, filing), actor, now);

/** Adds a note to the task. Returns the task, whose last note it is. */
export const addNote = (
  store: Store,
  accountId: number,
  id: string,
  text: string,
  actor: Actor,
  now: Instant,
): Promise<RecordRow> =>
  fileInto(
    store,
    accountId,
    id,
    (content, filing) => addNotes(content, [text], filing),
    actor,
    now,
  );

const fileInto = (
  store: Store,
  accountId: number,
  id: string,
  add: (content: Content, filing: Filing) => Content,
  actor: Actor,
  now: Instant,
): Promise<RecordRow> =>
  store.writer.write((tx) => {
    const before = writableTask(tx, accountId, id, actor);
    const filing = { author: authorOf(actor), now, newId };
    return editRecord(tx, before, add(contentOf(before), filing), edited(actor, now));
  });

/** A task that the actor may write to: for a key, one in a trash bucket is not there. */
const writableTask = (tx: Tx, accountId: number, id: string, actor: Actor): RecordRow => {
  const row = findRecord(tx.orm, accountId, "sync_tasks", id);
  const hidden = row?.trashed === 1 && actor.kind === "api_key";
  if (!row || row.deletedAt !== null || hidden) throw notFound("task");
  return row;
};

const placesOf = (tx: Tx, accountId: number, patch: TaskPatch, actor: Actor) =>
  resolvePlaces(tx.orm, accountId, patch, actor.kind === "api_key", trashFinder(tx.orm, accountId));

/** What edits over REST are to the versions that they replace. */
export const edited = (by: Actor, now: Instant): Deed => ({ loss: "edited", by, now });

const changedMeanwhile = (): Refusal =>
  new Refusal("changed_meanwhile", "The task was changed meanwhile: read it again, then decide.");

export const contentOf = (row: RecordRow): Content => ({
  payload: payloadOf(row),
  filed: filedOf(row),
});
