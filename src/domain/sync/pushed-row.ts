import { type Actor, PERSON } from "../people/account.ts";
import { holdsTrash } from "../tasks/task.ts";
import { formatInstant, type Instant, parseInstant } from "../base/instant.ts";
import { serialise } from "../base/payload.ts";
import { keyText } from "../base/record.ts";
import type { Draft } from "../tasks/projection.ts";
import type { Change } from "./change.ts";
import type { Merged } from "./merge.ts";
import {
  type AppliedAs,
  clampOf,
  fieldTimesAfter,
  filedOf,
  payloadOf,
  type Pushed,
  pushedOf,
  recordRow,
  type RecordRow,
  type Stamps,
} from "../records/row.ts";
import { pushedContent, type Verdict } from "./proof.ts";

/** What a row that a push stores depends on, beside the change. */
export type Pushing = {
  readonly accountId: number;
  readonly by: Actor;
  /** The stored records that the push names, and the buckets of its tasks, by `keyText`. */
  readonly rows: ReadonlyMap<string, RecordRow>;
  /** The stamp of the transaction. */
  readonly stamp: Instant;
  readonly now: Instant;
};

/** The verdict on a change that is applied. */
export type Winner = Extract<Verdict, { outcome: "applied" | "late" }>;

/** What a device pushed, to recognise it when it comes again. */
export const pushedBy = (change: Change, updated: Instant, as: AppliedAs): Pushed => ({
  updated,
  content: pushedContent(change),
  as,
});

/**
 * Returns the stamp of what the server makes of a change and these versions: now, or else a little later than they are.
 * It is never the very stamp that was sent: the device would take the row for its own version.
 */
export const laterThan = (
  { now }: Pushing,
  change: Change,
  ...updated: readonly Instant[]
): Instant => {
  const later = Math.max(now, ...updated.map((one) => one + 1));
  return later === change.updated ? later + 1 : later;
};

/** Returns the row after a winning change. */
export const pushedRow = (
  push: Pushing,
  change: Change,
  verdict: Winner,
  merged: Merged,
  as: AppliedAs,
  before: RecordRow | null,
): RecordRow => {
  const sent = verdict.outcome === "late" ? change.updated : verdict.updated;
  // A record that differs from what was sent gets a later stamp than what was sent, so that every device
  // pulls it.
  const updated = as === "applied" ? sent : laterThan(push, change, sent, before?.updated ?? 0);
  const clamp = verdict.outcome === "applied" ? verdict.clamp : null;
  const draft = {
    table: change.table,
    id: change.id,
    payload: merged.payload,
    payloadText: merged.differs ? serialise(merged.payload) : change.payloadText,
    deletedAt: merged.deletedAt,
    updated,
    updatedAt: as === "applied" && !clamp ? change.updatedAt : formatInstant(updated),
    filed: merged.filed,
  };
  const stored = before && { payload: payloadOf(before), stored: before.fieldTimes };
  const times = {
    payload: merged.payload,
    updated,
    sent,
    changedAt: change.changedAt,
    base: parseInstant(change.base ?? ""),
  };
  return rowAfter(push, before, draft, {
    // A clamped stamp is not always the earlier one: it is later than the stored version.
    pushed: pushedBy(change, Math.min(sent, change.updated), as),
    clamp,
    fieldTimes: fieldTimesAfter(stored, times),
  });
};

/** Returns the row that replaces `before`. What is not said of it stays as it was. */
export const rowAfter = (
  push: Pushing,
  before: RecordRow | null,
  content: Omit<Draft, "accountId" | "author" | "createdAt">,
  said: Pick<Stamps, "clamp" | "fieldTimes" | "pushed"> = {
    pushed: before && pushedOf(before),
    clamp: null,
    fieldTimes: before?.fieldTimes ?? null,
  },
): RecordRow => {
  const draft = {
    ...content,
    accountId: push.accountId,
    createdAt: before?.createdAt ?? push.now,
    // The author of a record is set when it is first stored. No push changes it.
    author: before ? { created_by: before.createdBy, created_by_key: before.createdByKey } : PERSON,
  };
  const stamps = {
    changedAt: push.stamp,
    ...said,
    clamp: said.clamp ?? (before && clampOf(before)),
    protectedAt: protectedAfter(push, before, content),
  };
  return recordRow(draft, stamps, push.by, trashAmong(push.rows));
};

/**
 * The stamp of the newest work that a push must not lose unseen. A device that has been given such work only in a deleted
 * record has not looked at it.
 */
const protectedAfter = (
  { stamp }: Pushing,
  before: RecordRow | null,
  content: Pick<Draft, "deletedAt" | "filed">,
): Instant | null => {
  const kept = before?.protectedAt ?? null;
  const isRevived = kept !== null && before?.deletedAt != null && content.deletedAt === null;
  return isRevived || hasArrivals(content, before) ? stamp : kept;
};

/** Whether filed tabs or notes were moved here. */
const hasArrivals = ({ filed }: Pick<Draft, "filed">, before: RecordRow | null): boolean => {
  if (filed.length === 0) return false;
  const known = new Set(filedOf(before).map(({ id }) => id));
  return filed.some(({ id }) => !known.has(id));
};

/** Returns a test for trash buckets. */
const trashAmong =
  (rows: Pushing["rows"]) =>
  (id: string): boolean =>
    holdsTrash(id, rows.get(keyText({ table: "sync_buckets", id })) ?? null);
