import type { Instant } from "../../domain/base/instant.ts";
import { type MaybePromise, andThen } from "../../domain/base/maybe-promise.ts";
import type { Step } from "../../domain/history/step.ts";
import { knows } from "../../domain/sync/seen/ack.ts";
import type { Change } from "../../domain/sync/change.ts";
import { canMean, type Holder } from "../../domain/sync/seen/holder.ts";
import { readFieldTimes } from "../../domain/sync/field-times.ts";
import { type Overtaken, startOvertaken } from "../../domain/sync/overtaken.ts";
import { type Past, startPast } from "../../domain/sync/seen/past.ts";
import type { PastStep, PastVersion } from "../../domain/sync/seen/past-step.ts";
import { payloadOf, type RecordRow } from "../../domain/sync/row.ts";
import { walkBack } from "../history/walk.ts";
import type { Transaction } from "../transaction.ts";

/** The device that pushes, and the stamp after which all versions of the account are still stored. */
export type KnownHolder = Holder & { readonly since: Instant };

/**
 * Returns what the device held when it made a change to the record, and what was done over REST since. Returns null if
 * the device has seen all of that: then nothing is read.
 */
export const readPast = (
  tx: Transaction,
  row: RecordRow,
  change: Change,
  holder: KnownHolder,
): MaybePromise<Past | null> => {
  const edit = { updated: change.updated, now: tx.now };
  if (row.protectedAt === null) return null;
  // What a device was given of a deleted record may have been empty. One that says what it expects has looked at that.
  const isGone = change.expected === null || Object.keys(payloadOf(row)).length === 0;
  const isRevival = row.deletedAt !== null && change.deletedAt === null && isGone;
  const hasSeenAll =
    change.base === null
      ? knows(holder.ack, row.protectedAt, edit)
      : change.base === row.updatedAt &&
        change.base !== change.updatedAt &&
        row.clampRaw === null &&
        canMean(holder, row.changedAt);
  return hasSeenAll && !isRevival ? null : readHeld(tx, row, change, holder);
};

/** The same, also if the device has seen all that was done over REST. */
export const readHeld = (
  tx: Transaction,
  row: RecordRow,
  change: Change,
  holder: KnownHolder,
): MaybePromise<Past> => {
  const edit = {
    ...change,
    isDeleted: change.deletedAt !== null,
    isClamped: row.clampRaw !== null,
    now: tx.now,
  };
  const reading = startPast(versionOf(row), holder, edit);
  return andThen(
    walkBack(tx.history, row, (step) => reading.add(pastStep(step))),
    () => reading.end(holder.since),
  );
};

/** Returns what was done to a record since the version that a change expects. */
export const readOvertaken = (
  tx: Transaction,
  row: RecordRow,
  change: Change,
): MaybePromise<Overtaken> => {
  const reading = startOvertaken(versionOf(row), change, readFieldTimes(row.fieldTimes));
  return andThen(
    walkBack(tx.history, row, (step) => reading.add(pastStep(step))),
    () => reading.end(),
  );
};

const versionOf = (row: RecordRow): PastVersion => ({
  payload: payloadOf(row),
  deletedAt: row.deletedAt,
  updatedAt: row.updatedAt,
  sessionId: sessionOf(row),
});

const pastStep = ({ version, refused, before }: Step): PastStep => {
  const { stamp, at, via, loss, base, updatedAt } = version;
  const [byKind, byId] = refused
    ? [version.writerKind, version.writerId]
    : [version.byKind, version.byId];
  const was = before && { ...before, updatedAt, sessionId: sessionOf(version) };
  return { stamp, at, via, loss, byKind, byId, refused, base, before: was };
};

type Writer = Pick<RecordRow, "writerId" | "writerKind">;

/** The session that wrote it, if one did. */
const sessionOf = ({ writerKind, writerId }: Writer): string | null =>
  writerKind === "session" ? writerId : null;
