import { countValues } from "../../domain/base/payload.ts";
import { type Change, type ParsedChanges, withoutTooLarge } from "../../domain/sync/change.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { keyText, type RecordKey, type Table } from "../../domain/base/record.ts";
import type { Overtaken } from "../../domain/sync/overtaken.ts";
import { type JudgedPush, judgePush, type Push, type PushOutcome } from "../../domain/sync/push.ts";
import type { Transaction } from "../transaction.ts";
import { filedOf, payloadOf } from "../../domain/records/row.ts";
import { writeRecords } from "./write.ts";
import { acknowledge, isGiven, NO_ACK, unnoticed } from "../../domain/sync/proof.ts";
import { breathe } from "../../domain/base/breathe.ts";
import { type AgentChild, movedIds, personsChildren } from "../../domain/tasks/filed.ts";
import { bucketIdOf } from "../../domain/tasks/task.ts";
import { type KnownHolder, withExpected } from "./past.ts";
import { findArrivals, findOvertaken, findRefused, readPasts } from "./push-unseen.ts";

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

/** The session that pushes. `since` is the device's stored cursor, if the push sends it. */
export type Sender = { readonly sessionId: string; readonly since?: Instant | null };

/** The changes of a push as they are judged, and what that depends on. */
type Read = { readonly changes: readonly Change[]; readonly push: Push };

/** Reads what judging a push depends on. */
const readPush = async (
  tx: Transaction,
  sender: Sender | null,
  sent: readonly Change[],
): Promise<Read> => {
  const holder = await readHolder(tx, sender);
  const rows = await readRows(tx, sent);
  const changes = sent.map((one) => {
    const change = holder.restored === null ? withoutOwnBase(one) : one;
    return withExpected(change, rows.get(keyText(one)) ?? null, holder);
  });
  const given = new Set(changes.filter((_, at) => isGiven(sent[at] as Change)));
  const push = await readFor(tx, holder, changes, { rows, given });
  return { changes, push };
};

/**
 * A device sends a version that it was given again only after a restore. Otherwise, it has made two edits with one
 * stamp, and the base says nothing.
 */
const withoutOwnBase = (change: Change): Change =>
  isGiven(change) ? { ...change, base: null } : change;

const readFor = async (
  tx: Transaction,
  holder: KnownHolder,
  changes: readonly Change[],
  { rows, given }: { readonly rows: Push["rows"]; readonly given: ReadonlySet<Change> },
): Promise<Push> => {
  const pasts = await readPasts(tx, changes, rows, holder);
  const refusedBefore = await findRefused(tx, changes, rows);
  const overtaken = await findOvertaken(tx, changes, { rows, given }, holder);
  const children = await findMoved(tx, changes, rows);
  const arrivals = await findArrivals(tx, changes, { rows, children, pasts }, holder);
  return {
    accountId: tx.accountId,
    by: { kind: "session", id: holder.sessionId, name: "" },
    rows,
    children,
    pasts,
    refusedBefore,
    given,
    overtaken,
    restored: holder.restored,
    arrivals,
    stamp: await tx.sync.stamp(),
    now: tx.now,
  };
};

/** Reads the stored records that the push names, and the buckets of its tasks. */
const readRows = async (tx: Transaction, changes: readonly Change[]): Promise<Push["rows"]> => {
  const named = await findAll(tx, changes, new Map());
  return findAll(tx, bucketsOf(changes, named), named);
};

/** Returns what is known of the device that pushes. With a null sender, that is nothing. */
const readHolder = async (tx: Transaction, sender: Sender | null): Promise<KnownHolder> => {
  const { since, restored, mark } = await tx.history.kept();
  const known = await (sender === null ? NO_ACK : tx.sync.ack(sender.sessionId));
  const sessionId = sender?.sessionId ?? null;
  const ack = sender?.since === undefined ? known : acknowledge(known, sender.since);
  const inAll = restored.length === 0 ? -1 : Math.min(...restored.map(({ newest }) => newest));
  return {
    since,
    sessionId,
    ack,
    restored: unnoticed(restored, ack),
    named: { mark, inAll },
  };
};

/** Returns the filed tabs and notes that the push may have moved from one task to another. */
const findMoved = async (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
): Promise<Push["children"]> => {
  const ids = await movedInto(changes, rows);
  const children: AgentChild[] = [];
  for (const change of ids.length === 0 ? [] : changes) {
    await breathe();
    children.push(...personsIn(change));
  }
  for (const row of rows.values()) {
    await breathe();
    children.push(...filedOf(row));
  }
  children.push(...(await tx.children.find(ids)));
  return new Map(children.map((child) => [child.id, child]));
};

const personsIn = ({ table, payload }: Change): readonly AgentChild[] =>
  table === "sync_tasks" ? personsChildren(payload) : [];

/** Returns the records of these keys by `keyText`, reading only those that `known` lacks. */
const findAll = async (
  tx: Transaction,
  keys: readonly RecordKey[],
  known: Push["rows"],
): Promise<Push["rows"]> => {
  if (keys.length === 0) return known;
  const wanted = new Map(keys.map((key) => [keyText(key), key]));
  const found = await tx.records.find([...wanted.values()]);
  const rows = found.flatMap((row) => (row ? [[keyText(row), row] as const] : []));
  return new Map([...known, ...rows]);
};

/** The buckets in which the pushed tasks are or will be, except those already read. */
const bucketsOf = (changes: readonly Change[], rows: Push["rows"]): readonly RecordKey[] => {
  const sent = changes.map(({ payload }) => bucketIdOf(payload));
  const stored = [...rows.values()].map(({ bucketId }) => bucketId);
  return [...new Set([...sent, ...stored])].flatMap((id) => {
    const key = { table: "sync_buckets", id: id ?? "" } as const;
    return id === null || rows.has(keyText(key)) ? [] : [key];
  });
};

/** The ids of tabs and notes that may have been moved here from other tasks. */
const movedInto = async (
  changes: readonly Change[],
  rows: Push["rows"],
): Promise<readonly string[]> => {
  const tasks = changes.filter(({ table }) => table === "sync_tasks");
  const times = Map.groupBy(tasks, keyText);
  const ids: string[] = [];
  for (const change of tasks) {
    await breathe();
    const key = keyText(change);
    const row = rows.get(key);
    // A record that occurs twice in a push may drop a child first and add it back second.
    const once = times.get(key)?.length === 1;
    ids.push(...movedIds(() => (row && once ? payloadOf(row) : {}), change.payload));
  }
  return ids;
};
