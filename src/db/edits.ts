import type { Author } from "../caller.ts";
import { addNotes, addTabs, type Content, type Filing, newTask } from "../content.ts";
import { checkStatus, type TabDraft, type TaskDraft, type TaskPatch } from "../draft.ts";
import { entityTag, namesTag } from "../etag.ts";
import { formatInstant, type Instant } from "../instant.ts";
import { fits, type Payload, serialise } from "../payload.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { insertChildren } from "./children.ts";
import { newId } from "./ids.ts";
import type { Store } from "./open.ts";
import { resolvePlaces } from "./places.ts";
import {
  agentChildrenOf,
  clampOf,
  findRecord,
  payloadOf,
  putRecord,
  type RecordRow,
} from "./records.ts";
import { trashFinder } from "./trash.ts";
import type { Tx } from "./writer.ts";

/** Files a new task with its tabs and notes. Refuses unknown folders and buckets. */
export const createTask = (
  store: Store,
  accountId: number,
  draft: TaskDraft,
  author: Author,
  now: Instant,
): Promise<RecordRow> => {
  checkStatus(draft.status);
  return store.writer.write((tx) => insertTask(tx, accountId, draft, author, now));
};

export const insertTask = (
  tx: Tx,
  accountId: number,
  draft: TaskDraft,
  author: Author,
  now: Instant,
): RecordRow => {
  const places = placesOf(tx, accountId, draft, author);
  const content = newTask(draft, places, { author, now, newId });
  return save(tx, { accountId, id: newId(now), createdAt: now, author }, content, null, now);
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
  author: Author,
  now: Instant,
): Promise<RecordRow> => {
  checkStatus(patch.status);
  const { title, status, colour } = patch;
  const sent = Object.entries({ title, status, colour }).filter(([, value]) => value !== undefined);
  return store.writer.write((tx) => {
    const before = writableTask(tx, accountId, id, author);
    if (ifMatch !== null && !namesTag(ifMatch, entityTag(before))) throw changedMeanwhile();
    const fields = { ...Object.fromEntries(sent), ...placesOf(tx, accountId, patch, author) };
    const { payload, agentChildren } = contentOf(before);
    return edit(tx, before, { payload: withFields(payload, fields), agentChildren }, now);
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
  author: Author,
  now: Instant,
): Promise<RecordRow> =>
  fileInto(store, accountId, id, (content, filing) => addTabs(content, tabs, filing), author, now);

/** Adds a note to the task. Returns the task, whose last note it is. */
export const addNote = (
  store: Store,
  accountId: number,
  id: string,
  text: string,
  author: Author,
  now: Instant,
): Promise<RecordRow> =>
  fileInto(
    store,
    accountId,
    id,
    (content, filing) => addNotes(content, [text], filing),
    author,
    now,
  );

const fileInto = (
  store: Store,
  accountId: number,
  id: string,
  add: (content: Content, filing: Filing) => Content,
  author: Author,
  now: Instant,
): Promise<RecordRow> =>
  store.writer.write((tx) => {
    const before = writableTask(tx, accountId, id, author);
    return edit(tx, before, add(contentOf(before), { author, now, newId }), now);
  });

/** A task that the author may write to: for a key, one in a trash bucket is not there. */
const writableTask = (tx: Tx, accountId: number, id: string, author: Author): RecordRow => {
  const row = findRecord(tx.orm, accountId, "sync_tasks", id);
  const hidden = row?.trashed === 1 && author.created_by === "agent";
  if (!row || row.deletedAt !== null || hidden) throw notFound("task");
  return row;
};

const placesOf = (tx: Tx, accountId: number, patch: TaskPatch, author: Author) =>
  resolvePlaces(
    tx.orm,
    accountId,
    patch,
    author.created_by === "agent",
    trashFinder(tx.orm, accountId),
  );

const changedMeanwhile = (): Refusal =>
  new Refusal("changed_meanwhile", "The task was changed meanwhile: read it again, then decide.");

export const contentOf = (row: RecordRow): Content => ({
  payload: payloadOf(row),
  agentChildren: agentChildrenOf(row),
});

/** Gives a stored task new content. Where that is what it has, the row stays as it is, stamps included. */
export const edit = (tx: Tx, before: RecordRow, content: Content, now: Instant): RecordRow => {
  const author = { created_by: before.createdBy, created_by_key: before.createdByKey };
  return save(tx, { ...before, author }, content, before, now);
};

type Identity = {
  readonly accountId: number;
  readonly id: string;
  readonly createdAt: Instant;
  readonly author: Author;
};

/** Stores a task's content under a stamp later than any it had, so that every device takes it. */
const save = (
  tx: Tx,
  { accountId, id, createdAt, author }: Identity,
  { payload, agentChildren }: Content,
  before: RecordRow | null,
  now: Instant,
): RecordRow => {
  const payloadText = serialise(payload);
  if (payloadText === before?.payload) return before;
  if (!fits(payloadText))
    throw invalid("The task would be larger than 1 MiB: file this into another task.");
  const updated = Math.max(now, (before?.updated ?? 0) + 1);
  const draft = {
    accountId,
    table: "sync_tasks" as const,
    id,
    payload,
    payloadText,
    updated,
    updatedAt: formatInstant(updated),
    deletedAt: null,
    createdAt,
    author,
    agentChildren,
  };
  const stamps = {
    changedAt: tx.stamp(accountId, now),
    pushedAt: before?.pushedAt ?? null,
    clamp: before && clampOf(before),
  };
  const known = new Set(agentChildrenOf(before).map((child) => child.id));
  const filed = agentChildren.filter((child) => !known.has(child.id));
  insertChildren(tx.orm, accountId, filed);
  return putRecord(tx.orm, draft, stamps, before, trashFinder(tx.orm, accountId));
};
