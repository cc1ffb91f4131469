import type { Change, ParsedChanges } from "../../domain/sync/change.ts";
import { andThen, inTurn, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import type { Table } from "../../domain/base/record.ts";
import { judgePush, type JudgedPush, type PushOutcome, type Push } from "../../domain/sync/push.ts";
import type { Transaction } from "../transaction.ts";
import { readHolder, readPush, type Sender } from "./push-reading.ts";
import { writeRecords } from "./write.ts";

/** A pushed record in whose place another row stands. */
type Listed = {
  readonly table: Table;
  readonly id: string;
  /** The client's own text, ISO 8601. */
  readonly updatedAt: string;
};

/** A record that is not stored as it was sent. A device that takes over every `server_row` here misses nothing. */
type Rejected = Listed & { readonly reason: "clamped" | "merged" | "stale" };

export type PushResult = {
  /** Records now stored as new or replaced, already stored, clamped or merged. */
  readonly applied: number;
  readonly rejected: readonly Rejected[];
  /** Those of the rejected that the server combined with content that the device cannot have known. */
  readonly merged: readonly Listed[];
  readonly invalid: ParsedChanges["invalid"];
};

/**
 * Applies a push. Each record is judged separately; all that win are committed together and counted for the
 * sending session. With a null sender, nothing is known about the device.
 */
export const pushChanges = (
  tx: Transaction,
  sender: Sender | null,
  { changes: sent, invalid }: ParsedChanges,
): MaybePromise<PushResult> =>
  andThen(readHolder(tx, sender), (holder) => {
    const changes = holder.restored === null ? sent.map(withoutOwnBase) : sent;
    return andThen(readPush(tx, holder, changes), (push) => {
      const judged = judgePush(push, changes);
      const result = { ...resultOf(changes, judged.outcomes), invalid };
      return andThen(writePush(tx, sender, push, judged, result), () => result);
    });
  });

/**
 * A device sends a version that it was given again only after a restore. Otherwise, it has made two edits with one
 * stamp, and the base says nothing.
 */
const withoutOwnBase = (change: Change): Change =>
  change.base !== null && change.base === change.updatedAt ? { ...change, base: null } : change;

const writePush = (
  tx: Transaction,
  sender: Sender | null,
  { by, stamp }: Push,
  { writes, superseded, deleted }: JudgedPush,
  result: PushResult,
): MaybePromise<void> => {
  const sessionId = sender?.sessionId ?? null;
  const counts = { applied: result.applied, rejected: refusedIn(result) };
  return inTurn(
    [
      () => writeRecords(tx, writes, superseded, by, stamp),
      () => deleted > MASS_DELETION && tx.history.noteDeletion(sessionId, deleted),
      () => sessionId !== null && tx.sync.count(sessionId, counts),
    ],
    (write) => write(),
  );
};

/** How many records count as rejected for the device. Merged ones do not, because they were applied. */
const refusedIn = ({ rejected, invalid }: PushResult): number =>
  rejected.filter(({ reason }) => reason !== "merged").length + invalid.length;

/** A push that deletes more records than this is still applied, but is noted so that it can be restored. */
const MASS_DELETION = 100;

const resultOf = (
  changes: readonly Change[],
  outcomes: readonly PushOutcome[],
): Omit<PushResult, "invalid"> => {
  const judged = changes.map((change, at) => ({ change, outcome: outcomes[at] as PushOutcome }));
  const rejected = judged.flatMap(({ change, outcome }) => rejection(change, outcome));
  const stale = rejected.filter(({ reason }) => reason === "stale").length;
  const merged = judged.flatMap(({ change, outcome }) =>
    MERGED.has(outcome) ? [listed(change)] : [],
  );
  return { applied: changes.length - stale, rejected, merged };
};

const listed = ({ table, id, updatedAt }: Change): Listed => ({ table, id, updatedAt });

const MERGED: ReadonlySet<PushOutcome> = new Set(["clamped_merged", "late", "merged"]);

const REASONS: Partial<Record<PushOutcome, Rejected["reason"]>> = {
  clamped: "clamped",
  clamped_merged: "clamped",
  late: "merged",
  merged: "merged",
  stale: "stale",
};

const rejection = (change: Change, outcome: PushOutcome): readonly Rejected[] => {
  const reason = REASONS[outcome];
  return reason === undefined ? [] : [{ ...listed(change), reason }];
};
