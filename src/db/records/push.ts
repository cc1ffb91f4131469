import { acknowledge, NO_ACK } from "../../domain/sync/ack.ts";
import {
  type Change,
  type InvalidChange,
  isInvalid,
  parseChange,
} from "../../domain/sync/change.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { syncRow, type Table } from "../../domain/base/record.ts";
import { ackOf } from "./acks.ts";
import { childFinder } from "./children.ts";
import { countPush } from "./sync-counts.ts";
import { noteDeletion } from "../history/mass-deletions.ts";
import type { Store } from "../store.ts";
import { findRecord } from "./records.ts";
import { grow } from "../history/retention.ts";
import { type Fate, type Push, takeChange } from "./take.ts";
import { trashFinder } from "./trash.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** A pushed record in whose place another row stands. */
export type Listed = {
  readonly table: Table;
  readonly id: string;
  /** The client's own text. */
  readonly updatedAt: string;
};

/** One that does not stand as it was sent. */
type Rejected = Listed & { readonly reason: "clamped" | "merged" | "stale" };

export type PushResult = {
  /** Records that now stand: new and replaced ones, those that stood already, clamped and merged ones. */
  readonly applied: number;
  readonly rejected: readonly Rejected[];
  /** Those into which was put back what the device cannot have known. */
  readonly merged: readonly Listed[];
  readonly invalid: readonly (InvalidChange & { readonly index: number })[];
};

/** The session that pushes; `since` is what the push itself names as stored by it, if it does. */
export type Sender = { readonly sessionId: string; readonly since?: Instant | null };

/**
 * A push: each record is judged for itself, all that win are committed together, and counted for the
 * session that sent them. Null is a sender of whom nothing is known.
 */
export const pushChanges = (
  store: Store,
  accountId: number,
  sender: Sender | null,
  values: readonly unknown[],
  now: Instant,
): Promise<PushResult> => {
  const parsed = values.map(parseChange);
  const changes = parsed.filter((change): change is Change => !isInvalid(change));
  const invalid = parsed.flatMap((change, index) =>
    isInvalid(change) ? [{ index, ...change }] : [],
  );
  return store.writer.write((tx) => {
    const push = openPush(store, tx, accountId, sender, now);
    const fates = changes.map((change) => ({ change, ...takeChange(push, change) }));
    if (push.kept.bytes > 0) grow(tx.orm, accountId, push.kept.bytes);
    const buried = fates.filter(({ buries }) => buries).length;
    noteDeletion(tx, accountId, sender?.sessionId ?? null, buried, now);
    const rejected = fates.flatMap(({ change, fate }) => rejection(change, fate));
    const stale = rejected.filter(({ reason }) => reason === "stale").length;
    const applied = changes.length - stale;
    const counts = { applied, rejected: rejected.length + invalid.length };
    if (sender) countPush(tx, sender.sessionId, counts, now);
    const merged = fates.flatMap(({ change, fate }) => (MERGED.has(fate) ? [listed(change)] : []));
    return { applied, rejected, merged, invalid };
  });
};

const openPush = (
  store: Store,
  tx: Tx,
  accountId: number,
  sender: Sender | null,
  now: Instant,
): Push => {
  const known = sender ? ackOf(store.acks, tx.orm, sender.sessionId) : NO_ACK;
  return {
    tx,
    accountId,
    by: { kind: "session", id: sender?.sessionId ?? null, name: "" },
    ack: sender?.since === undefined ? known : acknowledge(known, sender.since),
    now,
    trash: trashFinder(tx.orm, accountId),
    findMoved: childFinder(tx.orm, accountId),
    kept: { bytes: 0 },
  };
};

const listed = ({ table, id, updatedAt }: Change): Listed => ({ table, id, updatedAt });

const MERGED: ReadonlySet<Fate> = new Set(["clamped_merged", "merged"]);

const REASONS: Partial<Record<Fate, Rejected["reason"]>> = {
  clamped: "clamped",
  clamped_merged: "clamped",
  late: "merged",
  stale: "stale",
};

const rejection = (change: Change, fate: Fate): readonly Rejected[] => {
  const reason = REASONS[fate];
  return reason === undefined ? [] : [{ ...listed(change), reason }];
};

/**
 * The row that stands in a listed record's place, as JSON text. Read one by one while the reply is
 * written: together they can be far larger than the push.
 */
export const readServerRow = async (
  store: Store,
  accountId: number,
  { table, id }: Pick<Listed, "id" | "table">,
): Promise<string> => {
  const row = findRecord(store.reader, accountId, table, id);
  return row ? syncRow(row) : "null";
};
