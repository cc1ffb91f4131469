import { type Actor, authorOf } from "../people/account.ts";
import type { FiledChild } from "../tasks/child.ts";
import { CHILD_LISTS } from "../tasks/task-fields.ts";
import type { Content } from "../tasks/content.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import {
  countValues,
  fits,
  itemsIn,
  MAX_FILLED,
  MOST_FILLED,
  MOST_VALUES,
  type Payload,
  serialise,
} from "../base/payload.ts";
import type { RecordKey } from "../base/record.ts";
import { invalid } from "../base/refusal.ts";
import {
  clampOf,
  filedOf,
  payloadOf,
  pushedOf,
  recordRow,
  type RecordRow,
  type Replacement,
} from "./row.ts";

/** The new state of a record. Without `deletedAt` it is live. */
export type Edit = Content & { readonly deletedAt?: string | null };

/** Who edits a record over REST, why, and when. */
export type Editing = {
  readonly accountId: number;
  readonly by: Actor;
  readonly loss: Replacement["loss"];
  /** The stamp of the transaction. */
  readonly stamp: Instant;
  readonly now: Instant;
  readonly inTrash: (bucketId: string) => boolean;
};

/** The row after an edit, and the tabs and notes that the edit files. */
export type Edited = { readonly row: RecordRow; readonly filed: readonly FiledChild[] };

/**
 * Gives a record new content, with an `updated` later than any before, so that every device pulls it.
 * `before` is null for a new record. Returns null if the content does not change. Refuses a task that becomes
 * too large.
 */
export const editRow = (
  key: RecordKey,
  before: RecordRow | null,
  edit: Edit,
  editing: Editing,
): Edited | null => {
  const { accountId, by, stamp, now } = editing;
  const { payload, deletedAt = null } = edit;
  const payloadText = serialise(payload);
  if (before && payloadText === before.payload && deletedAt === before.deletedAt) return null;
  checkSize(payload, payloadText, before, editing);
  const updated = Math.max(now, (before?.updated ?? 0) + 1);
  const draft = {
    accountId,
    table: key.table,
    id: key.id,
    payload,
    payloadText,
    deletedAt,
    updated,
    updatedAt: formatInstant(updated),
    createdAt: before?.createdAt ?? now,
    author: before
      ? { created_by: before.createdBy, created_by_key: before.createdByKey }
      : authorOf(by),
    filed: edit.filed,
  };
  const stamps = {
    changedAt: stamp,
    pushed: before && pushedOf(before),
    clamp: before && clampOf(before),
    protectedAt: stamp,
    fieldTimes: before?.fieldTimes ?? null,
  };
  const row = recordRow(draft, stamps, by, editing.inTrash);
  return { row, filed: edit.filed.filter(newTo(before)) };
};

/** Undoing and restoring are never refused, nor is what a key makes no larger. */
const checkSize = (
  payload: Payload,
  payloadText: string,
  before: RecordRow | null,
  { by, loss }: Editing,
): void => {
  if (loss !== "edited") return;
  const values = countValues(payload, payloadText);
  if (
    values > MOST_VALUES &&
    values > (before ? countValues(payloadOf(before), before.payload) : 0)
  )
    throw invalid(
      `The task would have more than ${MOST_VALUES} values. File this into another task.`,
    );
  if (by.kind !== "api_key") {
    if (fits(payloadText)) return;
    throw invalid("The task would become larger than 1 MiB. File this into another task.");
  }
  const count = itemsIn(payload, CHILD_LISTS);
  const known = before ? itemsIn(payloadOf(before), CHILD_LISTS) : 0;
  if (count > Math.max(MOST_FILLED, known))
    throw invalid(
      `The task would have ${count} tabs and notes, and a key may fill it to ${MOST_FILLED}. File this into another task.`,
    );
  if (!fits(payloadText, Math.max(MAX_FILLED, before?.size ?? 0)))
    throw invalid(
      "The task would become larger than 960 KiB, to which a key may fill it. File this into another task.",
    );
};

/** Returns a test for filed children that were not in the record before, or not in its list. */
const newTo = (before: RecordRow | null): ((child: FiledChild) => boolean) => {
  const known = new Map(filedOf(before).map((child) => [child.id, child.at]));
  return ({ id, at }) => !known.has(id) || (at !== null && known.get(id) === null);
};
