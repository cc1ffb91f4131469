import { type ChildList, recogniseChildren } from "../child.ts";
import { PERSON } from "../caller.ts";
import { type Change, type InvalidChange, isInvalid, parseChange } from "../change.ts";
import { formatInstant, type Instant } from "../instant.ts";
import { listField } from "../payload.ts";
import { syncRow } from "../record.ts";
import { judge, type Verdict } from "../verdict.ts";
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

/** A pushed record that does not stand as it was sent. `serverRow` is JSON text: the row that does. */
export type Rejected = {
  readonly table: string;
  readonly id: string;
  readonly updatedAt: string;
  readonly reason: "clamped" | "stale";
  readonly serverRow: string;
};

export type PushResult = {
  /** Records that now stand: new and replaced ones, those that stood already, clamped ones. */
  readonly applied: number;
  readonly rejected: readonly Rejected[];
  readonly invalid: readonly (InvalidChange & { readonly index: number })[];
};

/** A device's push: each record is judged for itself, all that win are committed together. */
export const pushChanges = (
  store: Store,
  accountId: number,
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
    const judged = changes.map((change) => pushChange(tx, accountId, change, trash, now));
    const rejected = judged.filter((rejection) => rejection !== null);
    const stale = rejected.filter(({ reason }) => reason === "stale").length;
    return { applied: judged.length - stale, rejected, invalid };
  });
};

const pushChange = (
  tx: Tx,
  accountId: number,
  change: Change,
  trash: TrashFinder,
  now: Instant,
): Rejected | null => {
  const before = findRecord(tx.orm, accountId, change.table, change.id);
  const verdict = judge(before && standing(before), change, now);
  switch (verdict.outcome) {
    case "same":
      return null;
    case "stale":
    case "same_clamped":
      return before && rejection(change, verdict.outcome === "stale" ? "stale" : "clamped", before);
    case "applied": {
      const row = apply(tx, accountId, change, verdict, before, trash, now);
      return verdict.clamp ? rejection(change, "clamped", row) : null;
    }
  }
};

const standing = (row: RecordRow) => ({
  updated: row.updated,
  deletedAt: row.deletedAt,
  payloadText: row.payload,
  clamp: clampOf(row),
});

const rejection = (change: Change, reason: Rejected["reason"], row: RecordRow): Rejected => ({
  table: change.table,
  id: change.id,
  updatedAt: change.updatedAt,
  reason,
  serverRow: syncRow(row),
});

const apply = (
  tx: Tx,
  accountId: number,
  change: Change,
  verdict: Extract<Verdict, { outcome: "applied" }>,
  before: RecordRow | null,
  trash: TrashFinder,
  now: Instant,
): RecordRow => {
  const changedAt = tx.stamp(accountId, now);
  const draft = {
    accountId,
    table: change.table,
    id: change.id,
    payload: change.payload,
    payloadText: change.payloadText,
    updated: verdict.updated,
    updatedAt: verdict.clamp ? formatInstant(verdict.updated) : change.updatedAt,
    deletedAt: change.deletedAt,
    createdAt: before?.createdAt ?? now,
    // Who made a record is settled when it is first stored; no push changes it.
    author: before ? { created_by: before.createdBy, created_by_key: before.createdByKey } : PERSON,
    agentChildren: before?.agentChildren ? carryOver(before, change) : [],
  };
  const clamp = verdict.clamp ?? (before && clampOf(before));
  return putRecord(tx.orm, draft, { changedAt, pushedAt: changedAt, clamp }, before, trash);
};

/** The tabs and notes that keys filed stay theirs in the version that replaces `before`. */
const carryOver = (before: RecordRow, change: Change) => {
  const children = agentChildrenOf(before);
  const payload = payloadOf(before);
  const lists: readonly ChildList[] = ["pages", "notes"];
  return lists.flatMap((list) =>
    recogniseChildren(children, list, listField(payload, list), listField(change.payload, list)),
  );
};
