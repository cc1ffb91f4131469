import { SOMEONE } from "../../domain/people/caller.ts";
import type { Instant } from "../../domain/base/instant.ts";
import type { Payload } from "../../domain/base/payload.ts";
import type { Table } from "../../domain/base/record.ts";
import { invalid, notFound } from "../../domain/base/refusal.ts";
import { restoreContent } from "../../domain/history/restore.ts";
import { childFinder } from "../records/children.ts";
import { contentOf } from "../records/edits.ts";
import { newId } from "../records/ids.ts";
import type { Store } from "../store.ts";
import { findRecord, payloadOf, type RecordRow } from "../records/records.ts";
import { editRecord } from "../records/save.ts";
import { hasBucket, trashFinder } from "../records/trash.ts";
import { findVersion, walkBack } from "./history.ts";
import type { Tx } from "../sqlite/transaction.ts";

/**
 * Puts a version back, as a new edit that every device takes. Refuses one that is not kept any more, and
 * one in which the record was deleted, or was not there.
 */
export const restoreVersion = (
  store: Store,
  accountId: number,
  versionId: number,
  now: Instant,
): Promise<RecordRow> =>
  store.writer.write((tx) => {
    const version = findVersion(tx.orm, accountId, versionId);
    const row = version && findRecord(tx.orm, accountId, version.table, version.recordId);
    if (!row) throw notFound("version");
    for (const step of walkBack(tx.orm, row)) {
      if (step.version.id !== versionId) continue;
      if (step.before === null || step.before.deletedAt !== null)
        throw invalid(
          "That version cannot be restored. The record was deleted then, or did not exist yet.",
        );
      return putBack(tx, row, step.before.payload, now);
    }
    throw notFound("version");
  });

/** Puts a deleted or trashed record back, as it was last before that. */
export const restoreDeleted = (
  store: Store,
  accountId: number,
  table: Table,
  id: string,
  now: Instant,
): Promise<RecordRow> =>
  store.writer.write((tx) => {
    const row = findRecord(tx.orm, accountId, table, id);
    if (!row) throw notFound(table === "sync_tasks" ? "task" : "record");
    const restored = bringBack(tx, row, now);
    if (!restored)
      throw invalid(
        "This cannot be restored. Its content from before the deletion is no longer kept.",
      );
    return restored;
  });

/** `restoreGone`, in a transaction that does more; null where nothing is kept of it. */
export const bringBack = (tx: Tx, row: RecordRow, now: Instant): RecordRow | null => {
  if (row.deletedAt === null && row.trashed === 0) return row;
  const past = row.deletedAt === null ? payloadOf(row) : lastLife(tx, row);
  return past && putBack(tx, row, outOfTrash(tx, row, past), now);
};

/** What a deleted record was when it last lived; where that is not known, what was sent when it was deleted. */
export const lastLife = ({ orm }: Pick<Tx, "orm">, row: RecordRow): Payload | null => {
  for (const { refused, before } of walkBack(orm, row))
    if (!refused && before?.deletedAt === null) return before.payload;
  const sent = payloadOf(row);
  if (Object.keys(sent).length === 0) return null;
  // A device that gives this back as it is must not delete the record by that.
  return Object.hasOwn(sent, "deleted_at") ? { ...sent, deleted_at: null } : sent;
};

/** A task of a trash bucket goes back into the bucket it was in before, if that is still there. */
const outOfTrash = (tx: Tx, row: RecordRow, payload: Payload): Payload => {
  const { accountId, table } = row;
  const trash = trashFinder(tx.orm, accountId);
  const holds = (bucket: unknown): boolean => typeof bucket === "string" && trash.holds(bucket);
  if (table !== "sync_tasks" || !holds(payload["bucket_id"])) return payload;
  for (const { refused, before } of walkBack(tx.orm, row)) {
    if (refused || !before || before.deletedAt !== null) continue;
    const bucket = before.payload["bucket_id"] ?? null;
    if (holds(bucket)) continue;
    const there = typeof bucket === "string" && hasBucket(tx.orm, accountId, bucket);
    return { ...payload, bucket_id: there ? bucket : null };
  }
  return { ...payload, bucket_id: null };
};

/** Gives a record an earlier payload again. */
const putBack = (tx: Tx, row: RecordRow, payload: Payload, now: Instant): RecordRow => {
  const findMoved = childFinder(tx.orm, row.accountId);
  const content = restoreContent(contentOf(row), payload, { findMoved, newId, now });
  return editRecord(tx, row, content, { loss: "restored", by: SOMEONE, now });
};
