import type { Actor } from "../../domain/people/caller.ts";
import { bucketIdOf, holdsTrash } from "../../domain/tasks/bucket.ts";
import type { Content } from "../../domain/tasks/content.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { andThen, inTurn, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import { versionsOf } from "../../domain/history/version.ts";
import { type Edit, type Edited, editRow } from "../../domain/records/edit.ts";
import type { RecordWrite, Replacement } from "../../domain/records/replacement.ts";
import type { RefusedChange } from "../../domain/sync/push.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import type { Transaction } from "../transaction.ts";

/** Who changes a record outside a push, and the reason recorded for the version it replaces. */
export type Cause = { readonly loss: Replacement["loss"]; readonly by: Actor };

/** Creates a record. */
export const insertRecord = (
  tx: Transaction,
  key: RecordKey,
  content: Content,
  cause: Cause,
): MaybePromise<RecordRow> =>
  andThen(saveRecord(tx, key, null, content, cause), (row) => row as RecordRow);

/** Gives a stored record new content. If the content is the same, the row stays as it is, stamps included. */
export const editRecord = (
  tx: Transaction,
  before: RecordRow,
  edit: Edit,
  cause: Cause,
): MaybePromise<RecordRow> =>
  andThen(saveRecord(tx, before, before, edit, cause), (row) => row ?? before);

/** Reads what the edit depends on, decides the result, and writes it. Returns null if nothing changes. */
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

/** Whether the edit puts the task into a trash bucket. */
const bucketInTrash = (
  tx: Transaction,
  { table }: RecordKey,
  { payload }: Edit,
): MaybePromise<boolean> => {
  const id = table === "sync_tasks" ? bucketIdOf(payload) : null;
  return id !== null && isInTrash(tx, id);
};

/** Whether the bucket is a trash bucket. */
export const isInTrash = (tx: Transaction, bucketId: string): MaybePromise<boolean> =>
  andThen(tx.records.find([{ table: "sync_buckets", id: bucketId }]), ([bucket]) =>
    holdsTrash(bucketId, bucket ?? null),
  );

const writeEdit = (
  tx: Transaction,
  before: RecordRow | null,
  { row, filed }: Edited,
  { loss, by }: Cause,
): MaybePromise<void> => {
  const byKeys = filed.filter(({ person }) => !person);
  const writes = [{ row, before }];
  const superseded = [{ loss, before, after: row, via: "rest" }] as const;
  return andThen(byKeys.length > 0 ? tx.children.add(byKeys) : undefined, () =>
    writeRecords(tx, writes, superseded, by, row.changedAt),
  );
};

/** Stores records, the versions they replace, and the effect of bucket changes on tasks. `stamp` is the transaction's. */
export const writeRecords = (
  tx: Transaction,
  writes: readonly RecordWrite[],
  superseded: readonly (RefusedChange | Replacement)[],
  by: Actor,
  stamp: Instant,
): MaybePromise<void> => {
  const buckets = writes.filter(changesTrash).map(({ row }) => row);
  return andThen(versionsOf(superseded, by, { stamp, now: tx.now }), (versions) =>
    inTurn(
      [
        // First: pages that the records free would be used again for versions, and COMMIT is slow after that (long-write.ts).
        () => versions.length > 0 && tx.history.keep(versions),
        // Before the records: a move gives the cache room for the pages of both.
        () => buckets.length > 0 && tx.buckets.move(buckets),
        () => writes.length > 0 && tx.records.put(writes),
      ],
      (write) => write(),
    ),
  );
};

/** When a bucket becomes a trash bucket, or stops being one, its tasks move with it. */
const changesTrash = ({ row, before }: RecordWrite): boolean =>
  row.table === "sync_buckets" && holdsTrash(row.id, row) !== holdsTrash(row.id, before);
