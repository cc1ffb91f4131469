import type { Actor } from "../../domain/people/caller.ts";
import { bucketIdOf, isTrashBucket } from "../../domain/tasks/bucket.ts";
import type { Content } from "../../domain/tasks/content.ts";
import { andThen, inTurn, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import { versionsOf } from "../../domain/history/version.ts";
import { type Edit, type Edited, editRow } from "../../domain/sync/edit.ts";
import type { RecordWrite, RefusedChange, Replacement } from "../../domain/sync/replacement.ts";
import type { RecordRow } from "../../domain/sync/row.ts";
import type { Transaction } from "../transaction.ts";

/** Who changes a record outside a push, and why the version before is replaced. */
export type Cause = { readonly loss: Replacement["loss"]; readonly by: Actor };

/** Makes a record. */
export const insertRecord = (
  tx: Transaction,
  key: RecordKey,
  content: Content,
  cause: Cause,
): MaybePromise<RecordRow> =>
  andThen(saveRecord(tx, key, null, content, cause), (row) => row as RecordRow);

/** Gives a stored record new content. Where that is what it has, the row stays as it is, stamps included. */
export const editRecord = (
  tx: Transaction,
  before: RecordRow,
  edit: Edit,
  cause: Cause,
): MaybePromise<RecordRow> =>
  andThen(saveRecord(tx, before, before, edit, cause), (row) => row ?? before);

/** Reads what the edit depends on, decides what comes of it, writes that. Returns null where nothing changes. */
const saveRecord = (
  tx: Transaction,
  key: RecordKey,
  before: RecordRow | null,
  edit: Edit,
  { loss, by }: Cause,
): MaybePromise<RecordRow | null> =>
  andThen(bucketInTrash(tx, key, edit), (trashed) => {
    const { accountId, now } = tx;
    const editing = { accountId, by, loss, stamp: tx.sync.stamp(), now, inTrash: () => trashed };
    const edited = editRow(key, before, edit, editing);
    return edited && andThen(writeEdit(tx, before, edited, { loss, by }), () => edited.row);
  });

/** Whether the bucket that a task is to lie in is a trash bucket. */
const bucketInTrash = (
  tx: Transaction,
  { table }: RecordKey,
  { payload }: Edit,
): MaybePromise<boolean> => {
  const id = table === "sync_tasks" ? bucketIdOf(payload) : null;
  return id !== null && isInTrash(tx, id);
};

/** Whether a bucket is a trash bucket. */
export const isInTrash = (tx: Transaction, bucketId: string): MaybePromise<boolean> =>
  andThen(tx.records.find([{ table: "sync_buckets", id: bucketId }]), ([bucket]) =>
    bucket ? bucket.trashed === 1 : isTrashBucket(bucketId, null),
  );

const writeEdit = (
  tx: Transaction,
  before: RecordRow | null,
  { row, filed }: Edited,
  { loss, by }: Cause,
): MaybePromise<void> => {
  const byKeys = filed.filter(({ person }) => !person);
  const writes = [{ row, before }];
  const lost = [{ loss, before, after: row }];
  return andThen(byKeys.length > 0 ? tx.children.add(byKeys) : undefined, () =>
    writeRecords(tx, writes, lost, by),
  );
};

/** Stores records, the versions that they replace, and what their buckets do to other tasks. */
export const writeRecords = (
  tx: Transaction,
  writes: readonly RecordWrite[],
  lost: readonly (RefusedChange | Replacement)[],
  by: Actor,
): MaybePromise<void> => {
  const versions = versionsOf(lost, by, tx.now);
  const buckets = writes.filter(changesTrash).map(({ row }) => row);
  return inTurn(
    [
      () => writes.length > 0 && tx.records.put(writes),
      () => versions.length > 0 && tx.history.keep(versions),
      () => buckets.length > 0 && tx.buckets.move(buckets),
    ],
    (write) => write(),
  );
};

/** A bucket that becomes a trash bucket, or stops being one, takes its tasks with it. */
const changesTrash = ({ row, before }: RecordWrite): boolean =>
  row.table === "sync_buckets" &&
  row.trashed !== (before?.trashed ?? Number(isTrashBucket(row.id, null)));
