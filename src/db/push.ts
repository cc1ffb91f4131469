import { type Ack, acknowledge, NO_ACK } from "../ack.ts";
import { type Actor, PERSON } from "../caller.ts";
import { type Change, type InvalidChange, isInvalid, parseChange } from "../change.ts";
import { NO_GUARDS } from "../guards.ts";
import { formatInstant, type Instant } from "../instant.ts";
import { type Merged, mergePush, type RecordState, sightOf } from "../merge.ts";
import { serialise } from "../payload.ts";
import { syncRow, type Table } from "../record.ts";
import { judge, pushedContent, type Taken, type Verdict } from "../verdict.ts";
import type { Loss } from "../version.ts";
import { ackOf } from "./acks.ts";
import { childFinder } from "./children.ts";
import type { ChildFinder } from "../merge.ts";
import { countPush } from "./counts.ts";
import { keepRefused } from "./history.ts";
import { noteDeletion } from "./deletions.ts";
import type { Store } from "./open.ts";
import {
  clampOf,
  filedOf,
  findRecord,
  guardsOf,
  payloadOf,
  putRecord,
  pushedOf,
  type RecordRow,
} from "./records.ts";
import { type TrashFinder, trashFinder } from "./trash.ts";
import type { Tx } from "./writer.ts";

/** A pushed record in whose place another row stands. */
export type Listed = {
  readonly table: Table;
  readonly id: string;
  /** The client's own text. */
  readonly updatedAt: string;
};

/** One that does not stand as it was sent. */
export type Rejected = Listed & { readonly reason: "clamped" | "merged" | "stale" };

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

/** One push within its transaction. */
type Push = {
  readonly tx: Tx;
  readonly accountId: number;
  readonly by: Actor;
  readonly ack: Ack;
  readonly now: Instant;
  readonly trash: TrashFinder;
  readonly findMoved: ChildFinder;
};

/** How one record of a push was taken. */
type Fate = Taken | "buried" | "clamped" | "clamped_merged" | "stale";

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
    const fates = changes.map((change) => ({ change, fate: pushChange(push, change) }));
    const buried = fates.filter(({ fate }) => fate === "buried").length;
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

const pushChange = (push: Push, change: Change): Fate => {
  const before = findRecord(push.tx.orm, push.accountId, change.table, change.id);
  const verdict = judge(before && standing(before), change, push.now);
  switch (verdict.outcome) {
    case "same":
      return "applied";
    case "again":
      return verdict.as;
    case "same_clamped":
      return "clamped";
    case "stale":
      if (before) keepRefused(push.tx.orm, before, change, deed(push, "stale"));
      return "stale";
    case "late":
    case "applied":
      return take(push, change, verdict, before);
  }
};

const deed = ({ by, now }: Push, loss: Loss) => ({ loss, by, now });

const standing = (row: RecordRow) => ({
  updated: row.updated,
  deletedAt: row.deletedAt,
  payloadText: row.payload,
  clamp: clampOf(row),
  pushed: pushedOf(row),
});

type Winner = Extract<Verdict, { outcome: "applied" | "late" }>;

/** Puts a change over what stands, and says how that went. */
const take = (push: Push, change: Change, verdict: Winner, before: RecordRow | null): Fate => {
  // No edit is made later than now, whatever the device's clock says.
  const sight = sightOf(push.ack, Math.min(change.updated, push.now));
  const findMoved = change.table === "sync_tasks" ? push.findMoved : () => [];
  const merged = mergePush(stateOf(before), change, sight, findMoved);
  const late = verdict.outcome === "late";
  const taken = late ? "late" : merged.differs ? "merged" : "applied";
  const clamped = !late && verdict.clamp !== null;
  const row = put(push, change, { verdict, merged, taken }, before);
  if (clamped) keepRefused(push.tx.orm, row, change, deed(push, "clamped"));
  if (clamped) return taken === "merged" ? "clamped_merged" : "clamped";
  return taken === "applied" && isBurial(before, merged) ? "buried" : taken;
};

const isBurial = (before: RecordRow | null, { deletedAt }: Merged): boolean =>
  before?.deletedAt === null && deletedAt !== null;

const NOTHING: RecordState = { payload: {}, deletedAt: null, filed: [], guards: NO_GUARDS };

const stateOf = (row: RecordRow | null): RecordState =>
  row
    ? {
        payload: payloadOf(row),
        deletedAt: row.deletedAt,
        filed: filedOf(row),
        guards: guardsOf(row),
      }
    : NOTHING;

type Outcome = { readonly verdict: Winner; readonly merged: Merged; readonly taken: Taken };

const put = (
  push: Push,
  change: Change,
  { verdict, merged, taken }: Outcome,
  before: RecordRow | null,
): RecordRow => {
  const { tx, accountId, now, trash } = push;
  const sent = verdict.outcome === "late" ? change.updated : verdict.updated;
  // What is not as it was sent gets a later stamp than it: every device takes that over.
  const updated = taken === "applied" ? sent : Math.max(now, sent + 1, (before?.updated ?? 0) + 1);
  const clamp = verdict.outcome === "applied" ? verdict.clamp : null;
  const { payload, deletedAt, filed, guards } = merged;
  const draft = {
    ...change,
    accountId,
    payload,
    payloadText: merged.differs ? serialise(payload) : change.payloadText,
    deletedAt,
    updated,
    updatedAt: taken === "applied" && !clamp ? change.updatedAt : formatInstant(updated),
    createdAt: before?.createdAt ?? now,
    // Who made a record is settled when it is first stored; no push changes it.
    author: before ? { created_by: before.createdBy, created_by_key: before.createdByKey } : PERSON,
    filed: filed,
  };
  const stamps = {
    changedAt: tx.stamp(accountId, now),
    pushed: { updated: sent, content: pushedContent(change), as: taken },
    clamp: clamp ?? (before && clampOf(before)),
    guards,
  };
  const loss = isBurial(before, merged) ? "deleted" : taken === "late" ? "merged" : "edited";
  return putRecord(tx.orm, draft, stamps, before, deed(push, loss), trash);
};
