import type { Actor } from "../../domain/people/account.ts";
import { bucketIdOf, holdsTrash } from "../../domain/tasks/task.ts";
import type { Content } from "../../domain/tasks/content.ts";
import type { Instant } from "../../domain/base/instant.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import { versionsOf } from "../../domain/history/version.ts";
import { type Edit, type Edited, editRow } from "../../domain/records/edit.ts";
import type { RecordRow, RecordWrite, Replacement } from "../../domain/records/row.ts";
import type { RefusedChange } from "../../domain/sync/push.ts";
import { bucketKey, departuresOf, INBOX } from "../../domain/records/departure.ts";
import type { Transaction } from "../transaction.ts";

/** Who changes a record outside a push, and the reason recorded for the version it replaces. */
export type Cause = { readonly loss: Replacement["loss"]; readonly by: Actor };

/** Creates a record. */
export const insertRecord = async (
  tx: Transaction,
  key: RecordKey,
  content: Content,
  cause: Cause,
): Promise<RecordRow> => {
  const row = await saveRecord(tx, key, null, content, cause);
  return row as RecordRow;
};

/** Gives a stored record new content. If the content is the same, the row stays as it is, stamps included. */
export const editRecord = async (
  tx: Transaction,
  before: RecordRow,
  edit: Edit,
  cause: Cause,
): Promise<RecordRow> => {
  const row = await saveRecord(tx, before, before, edit, cause);
  return row ?? before;
};

/** Reads what the edit depends on, decides the result, and writes it. Returns null if nothing changes. */
const saveRecord = async (
  tx: Transaction,
  key: RecordKey,
  before: RecordRow | null,
  edit: Edit,
  { loss, by }: Cause,
): Promise<RecordRow | null> => {
  const trashed = await bucketInTrash(tx, key, edit);
  const { accountId, now } = tx;
  const editing = {
    accountId,
    by,
    loss,
    stamp: await tx.sync.stamp(),
    now,
    inTrash: () => trashed,
  };
  const edited = editRow(key, before, edit, editing);
  if (!edited) return edited;
  await writeEdit(tx, before, edited, { loss, by });
  return edited.row;
};

/** Whether the edit puts the task into a trash bucket. */
const bucketInTrash = async (
  tx: Transaction,
  { table }: RecordKey,
  { payload }: Edit,
): Promise<boolean> => {
  const id = table === "sync_tasks" ? bucketIdOf(payload) : null;
  return id !== null && isInTrash(tx, id);
};

/** Whether the bucket is a trash bucket. */
export const isInTrash = async (tx: Transaction, bucketId: string): Promise<boolean> => {
  const [bucket] = await tx.records.find([{ table: "sync_buckets", id: bucketId }]);
  return holdsTrash(bucketId, bucket ?? null);
};

const writeEdit = async (
  tx: Transaction,
  before: RecordRow | null,
  { row, filed }: Edited,
  { loss, by }: Cause,
): Promise<void> => {
  const byKeys = filed.filter(({ person }) => !person);
  const writes = [{ row, before }];
  const superseded = [{ loss, before, after: row, via: "rest" }] as const;
  if (byKeys.length > 0) await tx.children.add(byKeys);
  return writeRecords(tx, writes, superseded, by, row.changedAt);
};

/** Stores records, the versions they replace, and the effect of bucket changes on tasks. `stamp` is the transaction's. */
export const writeRecords = async (
  tx: Transaction,
  writes: readonly RecordWrite[],
  superseded: readonly (RefusedChange | Replacement)[],
  by: Actor,
  stamp: Instant,
): Promise<void> => {
  const buckets = writes.filter(changesTrash).map(({ row }) => row);
  const versions = await versionsOf(superseded, by, { stamp, now: tx.now });
  if (versions.length > 0) await tx.history.keep(versions);
  if (buckets.length > 0) await tx.buckets.move(buckets);
  await noteDepartures(tx, writes, buckets, stamp);
  const ended = writes.filter(isOver).map(({ row }) => row.id);
  if (ended.length > 0) await tx.claims.end(ended);
  if (writes.length > 0) await tx.records.put(writes);
};

/** Notes what leaves folders and the inbox, for keys that see nothing else. Many tasks may be called like the inbox. */
const noteDepartures = async (
  tx: Transaction,
  writes: readonly RecordWrite[],
  buckets: readonly RecordRow[],
  stamp: Instant,
): Promise<void> => {
  const left = [
    ...buckets.map(({ id }) => ({ container: bucketKey(id), taskId: "" })),
    ...writes.flatMap(departuresOf),
  ];
  if (left.length === 0) return;
  const inbox = left.some(({ container }) => container === INBOX) ? await tx.inbox.find() : null;
  const real = left.filter(({ container, taskId }) => container !== INBOX || taskId === inbox);
  await tx.departures.add(real, stamp);
};

/** Closed, in the trash or deleted, a task is nobody's work any more. */
const isOver = ({ row, before }: RecordWrite): boolean => before?.open === 1 && row.open !== 1;

/** When a bucket becomes a trash bucket, or stops being one, its tasks move with it. */
const changesTrash = ({ row, before }: RecordWrite): boolean =>
  row.table === "sync_buckets" && holdsTrash(row.id, row) !== holdsTrash(row.id, before);

/** Returns a new id: a UUIDv7, which sorts by time. */
export const newId = (now: Instant): string => Bun.randomUUIDv7("hex", now);
