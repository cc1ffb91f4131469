import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { breathe } from "../../domain/base/breathe.ts";
import type { Step } from "../../domain/history/event.ts";
import type { Change } from "../../domain/sync/change.ts";
import type { Rev } from "../../domain/base/rev.ts";
import { type Holder, lastSeen } from "../../domain/sync/proof.ts";
import { payloadOf, readFieldTimes, type RecordRow } from "../../domain/records/row.ts";
import { type Overtaken, startOvertaken } from "../../domain/sync/overtaken.ts";
import type { PastVersion } from "../../domain/sync/ground.ts";
import { type Past, type PastStep, startPast } from "../../domain/sync/past.ts";
import { walkBack } from "../history/walk.ts";
import type { Transaction } from "../transaction.ts";

/** The device that pushes, the stamp after which all versions of the account are still stored, and the versions it can name. */
export type KnownHolder = Holder & { readonly since: Instant; readonly named: NamedVersions };

/**
 * Which versions a revision can name: all of this epoch, and of those before only what was in the backup of every restore
 * since.
 */
type NamedVersions = { readonly mark: string; readonly inAll: Instant };

/** Returns the stamp of the version that a revision names; null if it is lost. */
const stampOf = ({ stamp, mark }: Rev, { named }: KnownHolder): Instant | null =>
  mark === named.mark || stamp <= named.inAll ? stamp : null;

/**
 * Returns a change with what its `expected_rev` says of the stored row: that this is the version that it expects, or that
 * it is a later one.
 */
export const withExpected = (
  change: Change,
  row: RecordRow | null,
  holder: KnownHolder,
): Change => {
  const { expectedRev, expected } = change;
  if (expectedRev === null || row === null) return change;
  const isCurrent = stampOf(expectedRev, holder) === row.changedAt;
  const earlier = Math.min(expected ?? Number.NEGATIVE_INFINITY, row.updated - 1);
  return { ...change, expected: isCurrent ? row.updated : earlier };
};

/**
 * Whether there may be work in the stored record that a push must not lose, and that the device had not seen when it made
 * the change: what was done over REST, and after a restore what is in lists.
 */
export const mayLack = (
  row: RecordRow,
  change: Change,
  holder: KnownHolder,
  now: Instant,
): boolean => {
  const isRestored = holder.restored !== null && change.table === "sync_tasks";
  if (row.protectedAt === null && !isRestored) return false;
  if (row.deletedAt !== null && isFromMemory(row, change)) return true;
  const { baseRev } = change;
  // A stamp may be that of two versions, of which the device has made one itself. Only a revision names one alone.
  if (baseRev !== null && stampOf(baseRev, holder) === row.changedAt) return false;
  const seen = lastSeen(holder.ack, { updated: change.updated, now });
  const hasSeenAll = change.base === null && seen !== null && seen.time >= (row.protectedAt ?? 0);
  return isRestored || !hasSeenAll;
};

/** Whether the device may not have looked at what it was given of a deleted record, which may be empty. */
const isFromMemory = (row: RecordRow, { expected }: Change): boolean =>
  expected === null || Object.keys(payloadOf(row)).length === 0;

/** Before every version: a revision of one that is lost proves nothing. */
const LOST: Instant = -1;

const clampedAs = ({ clampRaw }: RecordRow): string | null =>
  clampRaw === null ? null : formatInstant(clampRaw);

/**
 * Returns, for each of these changes to one record, what the device is proved to have held when it made the change, and what
 * was done over REST since.
 */
export const readHeld = async (
  tx: Transaction,
  row: RecordRow,
  changes: readonly Change[],
  holder: KnownHolder,
): Promise<ReadonlyMap<Change, Past>> => {
  const start = (change: Change) => {
    const edit = {
      updated: change.updated,
      updatedAt: change.updatedAt,
      base: change.base,
      baseStamp: change.baseRev && (stampOf(change.baseRev, holder) ?? LOST),
      isFromMemory: isFromMemory(row, change),
      createdAt: row.createdAt,
      historySince: holder.since,
      clampedAs: clampedAs(row),
      now: tx.now,
    };
    return startPast(versionOf(row), holder, edit);
  };
  return readTogether(tx, row, changes, start, (reading) => reading.end());
};

/** Returns, for each of these changes to one record, what was done to it since the version that the change expects. */
export const readOvertaken = async (
  tx: Transaction,
  row: RecordRow,
  changes: readonly Change[],
): Promise<ReadonlyMap<Change, Overtaken>> => {
  const times = readFieldTimes(row.fieldTimes);
  const start = (change: Change) => startOvertaken(versionOf(row), change, times);
  return readTogether(tx, row, changes, start, (reading) => reading.end());
};

/**
 * Reads a record's past once for all changes to it in a push. For 450 of them, each with a reading of its own,
 * it took 20 s.
 */
const readTogether = async <Reading extends { readonly add: (step: PastStep) => boolean }, Found>(
  tx: Transaction,
  row: RecordRow,
  changes: readonly Change[],
  start: (change: Change) => Reading,
  end: (reading: Reading) => Found,
): Promise<ReadonlyMap<Change, Found>> => {
  const found = new Map<Change, Found>();
  if (changes.length === 0) return found;
  const readings = changes.map((change) => [change, start(change)] as const);
  const unfinished = new Set(readings.map(([, reading]) => reading));
  await walkBack(tx.history, row, async (step) => {
    const next = pastStep(step);
    for (const reading of unfinished) {
      await breathe();
      if (reading.add(next)) unfinished.delete(reading);
    }
    return unfinished.size === 0;
  });
  for (const [change, reading] of readings) {
    await breathe();
    found.set(change, end(reading));
  }
  return found;
};

const versionOf = (row: RecordRow): PastVersion => ({
  payload: payloadOf(row),
  deletedAt: row.deletedAt,
  updatedAt: row.updatedAt,
  sessionId: sessionOf(row),
});

const pastStep = ({ version, refused, before }: Step): PastStep => {
  const { stamp, via, loss, base, updatedAt } = version;
  const [byKind, byId] = refused
    ? [version.writerKind, version.writerId]
    : [version.byKind, version.byId];
  const was = before && { ...before, updatedAt, sessionId: sessionOf(version) };
  return { stamp, via, loss, byKind, byId, refused, base, before: was };
};

type Writer = Pick<RecordRow, "writerId" | "writerKind">;

/** The session that wrote it, if one did. */
const sessionOf = ({ writerKind, writerId }: Writer): string | null =>
  writerKind === "session" ? writerId : null;
