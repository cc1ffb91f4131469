import { SOMEONE } from "../../domain/people/account.ts";
import { holdsTrash } from "../../domain/tasks/task.ts";
import type { Payload } from "../../domain/base/payload.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import { invalid, notFound } from "../../domain/base/refusal.ts";
import { restoreContent } from "../../domain/history/restore.ts";
import { childFinder, movedIds } from "../../domain/tasks/filed.ts";
import { contentOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import { editRecord, isInTrash, newId } from "../records/write.ts";
import type { History, Transaction } from "../transaction.ts";
import { findStep, walkBack } from "./walk.ts";

/**
 * Restores a version as a new edit, which every device then pulls. Refuses a version that is no longer
 * stored, and one in which the record was deleted or did not exist yet.
 */
export const restoreVersion = async (tx: Transaction, versionId: number): Promise<RecordRow> => {
  const row = await recordOfVersion(tx, versionId);
  const step = await findStep(tx.history, row, ({ version }) => version.id === versionId);
  if (!step) throw notFound("version");
  if (step.before === null || step.before.deletedAt !== null)
    throw invalid(
      "That version cannot be restored. The record was deleted then, or did not exist yet.",
    );
  return putBack(tx, row, step.before.payload);
};

const recordOfVersion = async (tx: Transaction, versionId: number): Promise<RecordRow> => {
  const version = await tx.history.find(versionId);
  if (!version) throw notFound("version");
  const key = { table: version.table, id: version.recordId };
  const [row] = await tx.records.find([key]);
  if (!row) throw notFound("version");
  return row;
};

/** Restores a deleted or trashed record to its last state before that. */
export const restoreDeleted = async (tx: Transaction, key: RecordKey): Promise<RecordRow> => {
  const [row] = await tx.records.find([key]);
  if (!row) throw notFound(key.table === "sync_tasks" ? "task" : "record");
  const restored = await bringBack(tx, row);
  if (restored) return restored;
  throw invalid("This cannot be restored. Its content from before the deletion is no longer kept.");
};

/** Like `restoreDeleted`, for a row that was already read. Returns null if no earlier state is stored. */
export const bringBack = async (tx: Transaction, row: RecordRow): Promise<RecordRow | null> => {
  if (row.deletedAt === null && row.trashed === 0) return row;
  const payload = await (row.deletedAt === null ? payloadOf(row) : lastLife(tx.history, row));
  if (!payload) return payload;
  const wanted = await outOfTrash(tx, row, payload);
  return putBack(tx, row, wanted);
};

/**
 * The last payload of a deleted record before the deletion; if that is not stored, the payload sent with the
 * deletion, also if a later deletion emptied the record.
 */
export const lastLife = async (
  history: Pick<History, "before">,
  row: RecordRow,
): Promise<Payload | null> => {
  const step = await findStep(
    history,
    row,
    ({ refused, before }) => !refused && before?.deletedAt === null,
  );
  if (step?.before) return step.before.payload;
  const sent = await lastSent(history, row);
  if (sent === null) return null;
  // If a device sends this payload back unchanged, the old `deleted_at` must not delete the record again.
  return Object.hasOwn(sent, "deleted_at") ? { ...sent, deleted_at: null } : sent;
};

const lastSent = async (
  history: Pick<History, "before">,
  row: RecordRow,
): Promise<Payload | null> => {
  if (isSent(payloadOf(row))) return payloadOf(row);
  const step = await findStep(
    history,
    row,
    ({ refused, before }) => !refused && before !== null && isSent(before.payload),
  );
  return step?.before?.payload ?? null;
};

const isSent = (payload: Payload): boolean => Object.keys(payload).length > 0;

/** A task in a trash bucket returns to its previous bucket, if that bucket still exists. */
const outOfTrash = async (tx: Transaction, row: RecordRow, payload: Payload): Promise<Payload> => {
  const bucket = payload["bucket_id"];
  if (row.table !== "sync_tasks" || typeof bucket !== "string") return payload;
  const trashed = await isInTrash(tx, bucket);
  return trashed ? { ...payload, bucket_id: await bucketBefore(tx, row) } : payload;
};

/** The last non-trash bucket of the task; null if it had none or that bucket was deleted. */
const bucketBefore = async (tx: Transaction, row: RecordRow): Promise<string | null> => {
  let found: string | null = null;
  await walkBack(tx.history, row, async ({ refused, before }) => {
    if (refused || before?.deletedAt !== null) return false;
    const id = before.payload["bucket_id"] ?? null;
    if (typeof id !== "string") return true;
    const [bucket] = await tx.records.find([{ table: "sync_buckets", id }]);
    if (holdsTrash(id, bucket ?? null)) return false;
    found = bucket?.deletedAt === null ? id : null;
    return true;
  });
  return found;
};

/** Writes an earlier payload to the record again. */
const putBack = async (tx: Transaction, row: RecordRow, payload: Payload): Promise<RecordRow> => {
  const moved = movedIds(() => payloadOf(row), payload);
  const children = await tx.children.find(moved);
  const findMovedChildren = childFinder(new Map(children.map((child) => [child.id, child])));
  const restoring = { findMovedChildren, newId, now: tx.now };
  const content = restoreContent(contentOf(row), payload, restoring);
  return editRecord(tx, row, content, { loss: "restored", by: SOMEONE });
};
