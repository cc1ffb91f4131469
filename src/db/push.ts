import { type AgentChild, type ChildList, recogniseChildren, suspendChildren } from "../child.ts";
import { PERSON } from "../caller.ts";
import { type Change, type InvalidChange, isInvalid, parseChange } from "../change.ts";
import { formatInstant, type Instant } from "../instant.ts";
import { listField } from "../payload.ts";
import { syncRow, type Table } from "../record.ts";
import { judge, type Verdict } from "../verdict.ts";
import { type ChildFinder, childFinder } from "./children.ts";
import { countPush } from "./counts.ts";
import type { Store } from "./open.ts";
import {
  agentChildrenOf,
  clampOf,
  findRecord,
  payloadOf,
  putRecord,
  type RecordRow,
} from "./records.ts";
import { type TrashFinder, trashFinder } from "./trash.ts";
import type { Tx } from "./writer.ts";

/** A pushed record that does not stand as it was sent. */
export type Rejected = {
  readonly table: Table;
  readonly id: string;
  /** The client's own text. */
  readonly updatedAt: string;
  readonly reason: "clamped" | "stale";
};

export type PushResult = {
  /** Records that now stand: new and replaced ones, those that stood already, clamped ones. */
  readonly applied: number;
  readonly rejected: readonly Rejected[];
  readonly invalid: readonly (InvalidChange & { readonly index: number })[];
};

/** One push within its transaction. */
type Push = {
  readonly tx: Tx;
  readonly accountId: number;
  readonly now: Instant;
  readonly trash: TrashFinder;
  readonly findMoved: ChildFinder;
};

/**
 * A push: each record is judged for itself, all that win are committed together, and counted for the
 * session that sent them, if one did.
 */
export const pushChanges = (
  store: Store,
  accountId: number,
  sessionId: string | null,
  values: readonly unknown[],
  now: Instant,
): Promise<PushResult> => {
  const parsed = values.map(parseChange);
  const changes = parsed.filter((change): change is Change => !isInvalid(change));
  const invalid = parsed.flatMap((change, index) =>
    isInvalid(change) ? [{ index, ...change }] : [],
  );
  return store.writer.write((tx) => {
    const trash = trashFinder(tx.orm, accountId);
    const findMoved = childFinder(tx.orm, accountId);
    const push = { tx, accountId, now, trash, findMoved };
    const rejected = changes.flatMap((change) => pushChange(push, change) ?? []);
    const stale = rejected.filter(({ reason }) => reason === "stale").length;
    const applied = changes.length - stale;
    const counts = { applied, rejected: rejected.length + invalid.length };
    if (sessionId !== null) countPush(tx, sessionId, counts, now);
    return { applied, rejected, invalid };
  });
};

/**
 * The row that stands in a rejected record's place, as JSON text. Read one by one while the reply is
 * written: together they can be far larger than the push.
 */
export const readServerRow = async (
  store: Store,
  accountId: number,
  { table, id }: Rejected,
): Promise<string> => {
  const row = findRecord(store.reader, accountId, table, id);
  return row ? syncRow(row) : "null";
};

const pushChange = (push: Push, change: Change): Rejected | null => {
  const { table, id, updatedAt } = change;
  const before = findRecord(push.tx.orm, push.accountId, table, id);
  const verdict = judge(before && standing(before), change, push.now);
  if (verdict.outcome === "applied") apply(push, change, verdict, before);
  const reason = reasonOf(verdict);
  return reason && { table, id, updatedAt, reason };
};

const reasonOf = (verdict: Verdict): Rejected["reason"] | null => {
  switch (verdict.outcome) {
    case "same":
      return null;
    case "stale":
      return "stale";
    case "same_clamped":
      return "clamped";
    case "applied":
      return verdict.clamp ? "clamped" : null;
  }
};

const standing = (row: RecordRow) => ({
  updated: row.updated,
  deletedAt: row.deletedAt,
  payloadText: row.payload,
  clamp: clampOf(row),
});

const apply = (
  { tx, accountId, now, trash, findMoved }: Push,
  change: Change,
  verdict: Extract<Verdict, { outcome: "applied" }>,
  before: RecordRow | null,
): void => {
  const changedAt = tx.stamp(accountId, now);
  const draft = {
    accountId,
    ...change,
    updated: verdict.updated,
    updatedAt: verdict.clamp ? formatInstant(verdict.updated) : change.updatedAt,
    createdAt: before?.createdAt ?? now,
    // Who made a record is settled when it is first stored; no push changes it.
    author: before ? { created_by: before.createdBy, created_by_key: before.createdByKey } : PERSON,
    agentChildren: change.table === "sync_tasks" ? carryOver(before, change, findMoved) : [],
  };
  const clamp = verdict.clamp ?? (before && clampOf(before));
  putRecord(tx.orm, draft, { changedAt, pushedAt: verdict.updated, clamp }, before, trash);
};

/**
 * The tabs and notes that keys filed stay theirs in the version that replaces `before`: those it had,
 * and those that came from another task.
 */
const carryOver = (
  before: RecordRow | null,
  change: Change,
  findMoved: ChildFinder,
): readonly AgentChild[] => {
  const children = agentChildrenOf(before);
  const payload = before && children.length > 0 ? payloadOf(before) : {};
  return CHILD_LISTS.flatMap((list) => {
    const items = listField(payload, list);
    const after = change.payload[list];
    if (!Array.isArray(after)) return suspendChildren(children, list, items);
    const stayed = recogniseChildren(children, list, items, after).filter(({ at }) => at !== null);
    const taken = new Set(stayed.map(({ at }) => at));
    const moved = findMoved(list, items, after).filter(({ at }) => !taken.has(at));
    if (change.deletedAt === null) return [...stayed, ...moved];
    // A deleted task's list need not be whole: what is not in it may come back with the task.
    const there = new Set(stayed.map(({ id }) => id));
    const away = children.filter(({ id }) => !there.has(id));
    return [...stayed, ...moved, ...suspendChildren(away, list, items)];
  });
};

const CHILD_LISTS: readonly ChildList[] = ["pages", "notes"];
