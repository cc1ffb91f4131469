import { SOMEONE } from "../../domain/people/caller.ts";
import { holdsTrash } from "../../domain/tasks/bucket.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import type { Payload } from "../../domain/base/payload.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import { invalid, notFound } from "../../domain/base/refusal.ts";
import { restoreContent } from "../../domain/history/restore.ts";
import { childFinder, movedIds } from "../../domain/tasks/moved.ts";
import { contentOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import { newId } from "../records/ids.ts";
import { editRecord, isInTrash } from "../records/write.ts";
import type { History, Transaction } from "../transaction.ts";
import { findStep, walkBack } from "./walk.ts";

/**
 * Restores a version as a new edit, which every device then pulls. Refuses a version that is no longer
 * stored, and one in which the record was deleted or did not exist yet.
 */
export const restoreVersion = (tx: Transaction, versionId: number): MaybePromise<RecordRow> =>
  andThen(recordOfVersion(tx, versionId), (row) =>
    andThen(
      findStep(tx.history, row, ({ version }) => version.id === versionId),
      (step) => {
        if (!step) throw notFound("version");
        if (step.before === null || step.before.deletedAt !== null)
          throw invalid(
            "That version cannot be restored. The record was deleted then, or did not exist yet.",
          );
        return putBack(tx, row, step.before.payload);
      },
    ),
  );

const recordOfVersion = (tx: Transaction, versionId: number): MaybePromise<RecordRow> =>
  andThen(tx.history.find(versionId), (version) => {
    if (!version) throw notFound("version");
    const key = { table: version.table, id: version.recordId };
    return andThen(tx.records.find([key]), ([row]) => {
      if (!row) throw notFound("version");
      return row;
    });
  });

/** Restores a deleted or trashed record to its last state before that. */
export const restoreDeleted = (tx: Transaction, key: RecordKey): MaybePromise<RecordRow> =>
  andThen(tx.records.find([key]), ([row]) => {
    if (!row) throw notFound(key.table === "sync_tasks" ? "task" : "record");
    return andThen(bringBack(tx, row), (restored) => {
      if (restored) return restored;
      throw invalid(
        "This cannot be restored. Its content from before the deletion is no longer kept.",
      );
    });
  });

/** Like `restoreDeleted`, for a row that was already read. Returns null if no earlier state is stored. */
export const bringBack = (tx: Transaction, row: RecordRow): MaybePromise<RecordRow | null> => {
  if (row.deletedAt === null && row.trashed === 0) return row;
  const past = row.deletedAt === null ? payloadOf(row) : lastLife(tx.history, row);
  return andThen(
    past,
    (payload) =>
      payload && andThen(outOfTrash(tx, row, payload), (wanted) => putBack(tx, row, wanted)),
  );
};

/**
 * The last payload of a deleted record before the deletion; if that is not stored, the payload sent with the
 * deletion.
 */
export const lastLife = (
  history: Pick<History, "before">,
  row: RecordRow,
): MaybePromise<Payload | null> =>
  andThen(
    findStep(history, row, ({ refused, before }) => !refused && before?.deletedAt === null),
    (step) => step?.before?.payload ?? sentLast(row),
  );

const sentLast = (row: RecordRow): Payload | null => {
  const sent = payloadOf(row);
  if (Object.keys(sent).length === 0) return null;
  // If a device sends this payload back unchanged, the old `deleted_at` must not delete the record again.
  return Object.hasOwn(sent, "deleted_at") ? { ...sent, deleted_at: null } : sent;
};

/** A task in a trash bucket returns to its previous bucket, if that bucket still exists. */
const outOfTrash = (tx: Transaction, row: RecordRow, payload: Payload): MaybePromise<Payload> => {
  const bucket = payload["bucket_id"];
  if (row.table !== "sync_tasks" || typeof bucket !== "string") return payload;
  return andThen(isInTrash(tx, bucket), (trashed) =>
    trashed
      ? andThen(bucketBefore(tx, row), (before) => ({ ...payload, bucket_id: before }))
      : payload,
  );
};

/** The last non-trash bucket of the task; null if it had none or that bucket was deleted. */
const bucketBefore = (tx: Transaction, row: RecordRow): MaybePromise<string | null> => {
  let found: string | null = null;
  const walked = walkBack(tx.history, row, ({ refused, before }) => {
    if (refused || before?.deletedAt !== null) return false;
    const id = before.payload["bucket_id"] ?? null;
    if (typeof id !== "string") return true;
    return andThen(tx.records.find([{ table: "sync_buckets", id }]), ([bucket]) => {
      if (holdsTrash(id, bucket ?? null)) return false;
      found = bucket?.deletedAt === null ? id : null;
      return true;
    });
  });
  return andThen(walked, () => found);
};

/** Writes an earlier payload to the record again. */
const putBack = (tx: Transaction, row: RecordRow, payload: Payload): MaybePromise<RecordRow> => {
  const moved = movedIds(() => payloadOf(row), payload);
  return andThen(tx.children.find(moved), (children) => {
    const findMovedChildren = childFinder(new Map(children.map((child) => [child.id, child])));
    const restoring = { findMovedChildren, newId, now: tx.now };
    const content = restoreContent(contentOf(row), payload, restoring);
    return editRecord(tx, row, content, { loss: "restored", by: SOMEONE });
  });
};
