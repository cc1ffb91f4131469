import type { Instant } from "../../domain/base/instant.ts";
import { type MaybePromise, andThen } from "../../domain/base/maybe-promise.ts";
import { eachInSlices, mapInSlices } from "../../domain/base/slices.ts";
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

/** Whether there may be work over REST in the stored record that the device had not seen when it made the change. */
export const mayLack = (
  row: RecordRow,
  change: Change,
  holder: KnownHolder,
  now: Instant,
): boolean => {
  const edit = { updated: change.updated, now };
  if (row.protectedAt === null) return false;
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
  return !hasSeenAll || isRevival;
};

/**
 * Returns, for each of these changes to one record, what the device held when it made the change, and what was done over
 * REST since.
 */
export const readHeld = (
  tx: Transaction,
  row: RecordRow,
  changes: readonly Change[],
  holder: KnownHolder,
): MaybePromise<ReadonlyMap<Change, Past>> => {
  const start = (change: Change) => {
    const isDeleted = change.deletedAt !== null;
    const edit = { ...change, isDeleted, isClamped: row.clampRaw !== null, now: tx.now };
    return startPast(versionOf(row), holder, edit);
  };
  return readTogether(tx, row, changes, start, (reading) => reading.end(holder.since));
};

/** Returns, for each of these changes to one record, what was done to it since the version that the change expects. */
export const readOvertaken = (
  tx: Transaction,
  row: RecordRow,
  changes: readonly Change[],
): MaybePromise<ReadonlyMap<Change, Overtaken>> => {
  const times = readFieldTimes(row.fieldTimes);
  const start = (change: Change) => startOvertaken(versionOf(row), change, times);
  return readTogether(tx, row, changes, start, (reading) => reading.end());
};

/**
 * Reads a record's past once for all changes to it in a push, in slices. For 450 of them, each with a reading of its own,
 * it took 20 s.
 */
const readTogether = <Reading extends { readonly add: (step: PastStep) => boolean }, Found>(
  tx: Transaction,
  row: RecordRow,
  changes: readonly Change[],
  start: (change: Change) => Reading,
  end: (reading: Reading) => Found,
): MaybePromise<ReadonlyMap<Change, Found>> =>
  andThen(
    mapInSlices(changes, (change) => [change, start(change)] as const),
    (readings) => {
      const unfinished = new Set(readings.map(([, reading]) => reading));
      const visit = (step: Step): MaybePromise<boolean> => {
        const next = pastStep(step);
        const add = (reading: Reading): void => {
          if (reading.add(next)) unfinished.delete(reading);
        };
        return andThen(eachInSlices([...unfinished], add), () => unfinished.size === 0);
      };
      const walked = readings.length > 0 ? walkBack(tx.history, row, visit) : undefined;
      const ended = andThen(walked, () =>
        mapInSlices(readings, ([change, reading]) => [change, end(reading)] as const),
      );
      return andThen(ended, (found) => new Map(found));
    },
  );

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
