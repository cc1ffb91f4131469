import { countValues } from "../../domain/base/payload.ts";
import { type Change, type ParsedChanges, withoutTooLarge } from "../../domain/sync/change.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { keyText, type RecordKey, type Table } from "../../domain/base/record.ts";
import type { Overtaken } from "../../domain/sync/overtaken.ts";
import { judgePush, type JudgedPush, type PushOutcome, type Push } from "../../domain/sync/push.ts";
import type { Transaction } from "../transaction.ts";
import { payloadOf } from "../../domain/records/row.ts";
import { readPush, type Sender } from "./push-reading.ts";
import { writeRecords } from "./write.ts";

/** A pushed record in whose place another row stands. */
type Listed = {
  readonly table: Table;
  readonly id: string;
  /** The client's own text, ISO 8601. */
  readonly updatedAt: string;
};

/** What was done since, and the stamp of the version that a device pushed last, if one did. */
type Since = Overtaken & { readonly pushed: Instant | null };

/** A record that is not stored as it was sent. A device that takes over every `server_row` here misses nothing. */
type Rejected = Listed & {
  readonly reason: "clamped" | "merged" | "stale";
  /** Only if it is stale and says which version it expects. */
  readonly since?: Since;
};

export type PushResult = {
  /** Records now stored as new or replaced, already stored, clamped or merged. */
  readonly applied: number;
  readonly rejected: readonly Rejected[];
  /** Those of the rejected that the server combined with content that the device cannot have known. */
  readonly merged: readonly Listed[];
  readonly invalid: ParsedChanges["invalid"];
  /** The records that stand as they were sent, and the stamp of the transaction that stored each. */
  readonly stored: readonly (RecordKey & { readonly stamp: Instant })[];
  /** Whether the device says which versions it expects. It is told the epoch, for it may have to start over. */
  readonly tellsEpoch: boolean;
};

/**
 * Applies a push. Each record is judged separately; all that win are committed together and counted for the
 * sending session. With a null sender, nothing is known about the device.
 */
export const pushChanges = async (
  tx: Transaction,
  sender: Sender | null,
  parsed: ParsedChanges,
): Promise<PushResult> => {
  const { changes: sent, invalid } = await withoutLarge(tx, parsed);
  const { push, changes } = await readPush(tx, sender, sent);
  const judged = await judgePush(push, changes);
  const tellsEpoch = changes.some(({ expected }) => expected !== null);
  const stored = storedBy(push, changes, judged);
  const result = { ...resultOf(push, changes, judged.outcomes), invalid, stored, tellsEpoch };
  await writePush(tx, sender, push, judged, result);
  return result;
};

/** Leaves out what is too large to be stored. */
const withoutLarge = async (
  tx: Transaction,
  parsed: ParsedChanges,
): Promise<Pick<ParsedChanges, "changes" | "invalid">> => {
  const keys = parsed.large.map(({ change }) => change);
  const rows = await (keys.length === 0 ? [] : tx.records.find(keys));
  const stored = new Map(keys.map((change, at) => [change, rows[at]]));
  return withoutTooLarge(parsed, (change) => {
    const row = stored.get(change);
    return row ? countValues(payloadOf(row), row.payload) : 0;
  });
};

const writePush = async (
  tx: Transaction,
  sender: Sender | null,
  { by, stamp }: Push,
  { writes, superseded, deleted }: JudgedPush,
  result: PushResult,
): Promise<void> => {
  const sessionId = sender?.sessionId ?? null;
  const counts = { applied: result.applied, rejected: refusedIn(result) };
  if (deleted > MASS_DELETION) await tx.history.noteDeletion(sessionId, deleted);
  await writeRecords(tx, writes, superseded, by, stamp);
  if (sessionId !== null) await tx.sync.count(sessionId, counts);
};

/** How many records count as rejected for the device. Merged ones do not, because they were applied. */
const refusedIn = ({ rejected, invalid }: PushResult): number =>
  rejected.filter(({ reason }) => reason !== "merged").length + invalid.length;

/** A push that deletes more records than this is still applied, but is noted so that it can be restored. */
const MASS_DELETION = 100;

const resultOf = (
  push: Push,
  changes: readonly Change[],
  outcomes: readonly PushOutcome[],
): Pick<PushResult, "applied" | "merged" | "rejected"> => {
  const judged = changes.map((change, at) => ({ change, outcome: outcomes[at] as PushOutcome }));
  const rejected = judged.flatMap(({ change, outcome }) => rejection(push, change, outcome));
  const stale = rejected.filter(({ reason }) => reason === "stale").length;
  const merged = judged.flatMap(({ change, outcome }) =>
    MERGED.has(outcome) ? [listed(change)] : [],
  );
  return { applied: changes.length - stale, rejected, merged };
};

const storedBy = (
  { rows, stamp }: Push,
  changes: readonly Change[],
  { outcomes, writes }: JudgedPush,
): PushResult["stored"] => {
  const written = new Set(writes.map(({ row }) => keyText(row)));
  const otherwise = new Set(changes.filter((_, at) => outcomes[at] !== "applied").map(keyText));
  const keys = new Map(changes.map((change) => [keyText(change), change]));
  return [...keys].flatMap(([key, { table, id }]) => {
    const stored = written.has(key) ? stamp : rows.get(key)?.changedAt;
    return stored === undefined || otherwise.has(key) ? [] : [{ table, id, stamp: stored }];
  });
};

const listed = ({ table, id, updatedAt }: Change): Listed => ({ table, id, updatedAt });

const MERGED: ReadonlySet<PushOutcome> = new Set(["clamped_merged", "late", "merged"]);

const REASONS: Partial<Record<PushOutcome, Rejected["reason"]>> = {
  clamped: "clamped",
  clamped_merged: "clamped",
  late: "merged",
  merged: "merged",
  replaced: "stale",
  stale: "stale",
};

const rejection = (
  { overtaken, rows }: Push,
  change: Change,
  outcome: PushOutcome,
): readonly Rejected[] => {
  const reason = REASONS[outcome];
  if (reason === undefined) return [];
  const found = overtaken.get(change);
  const pushed = rows.get(keyText(change))?.pushedAt ?? null;
  return [{ ...listed(change), reason, ...(found ? { since: { ...found, pushed } } : {}) }];
};
