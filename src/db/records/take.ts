import type { Ack } from "../../domain/sync/ack.ts";
import { type Actor, PERSON } from "../../domain/people/caller.ts";
import type { Change } from "../../domain/sync/change.ts";
import { NO_GUARDS } from "../../domain/sync/guards.ts";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import {
  type ChildFinder,
  type Merged,
  mergePush,
  type RecordState,
} from "../../domain/sync/merge.ts";
import { sameJson, serialise } from "../../domain/base/payload.ts";
import {
  judge,
  type Pushed,
  pushedContent,
  type Taken,
  type Verdict,
} from "../../domain/sync/verdict.ts";
import { knowledgeOf } from "../../domain/sync/knowledge.ts";
import type { Loss } from "../../domain/history/version.ts";
import { type Replacement, type HistoryGrowth, keepRefused } from "../history/versions.ts";
import {
  clampOf,
  filedOf,
  findRecord,
  guardsOf,
  notePushed,
  payloadOf,
  putRecord,
  pushedOf,
  type RecordRow,
} from "./records.ts";
import type { TrashFinder } from "./trash.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** One push within its transaction. */
export type Push = {
  readonly tx: Tx;
  readonly accountId: number;
  readonly by: Actor;
  readonly ack: Ack;
  readonly now: Instant;
  readonly trash: TrashFinder;
  readonly findMoved: ChildFinder;
  /** What the push adds to the account's history. */
  readonly kept: HistoryGrowth;
};

/** How one record of a push was taken. */
export type Fate = Taken | "clamped" | "clamped_merged" | "stale";

/** `buries`: a record that lived is deleted by it. */
type Judged = { readonly fate: Fate; readonly buries: boolean };

/** Judges one record of a push and, if it wins, puts it in the place of what stands. */
export const takeChange = (push: Push, change: Change): Judged => {
  const before = findRecord(push.tx.orm, push.accountId, change.table, change.id);
  const verdict = judge(before && standing(before), change, push.now);
  switch (verdict.outcome) {
    case "same":
      return { fate: "applied", buries: false };
    case "again":
      // It was applied, and lost since: kept as a version then, and told now.
      return { fate: verdict.as === "applied" ? "stale" : verdict.as, buries: false };
    case "same_clamped":
      return { fate: verdict.merged ? "clamped_merged" : "clamped", buries: false };
    case "stale":
      if (before) keepRefused(push.tx.orm, before, change, replacement(push, "stale"));
      return { fate: "stale", buries: false };
    case "late":
    case "applied":
      return take(push, change, verdict, before);
  }
};

const replacement = ({ by, now, kept }: Push, loss: Loss): Replacement => ({ loss, by, now, kept });

const standing = (row: RecordRow) => ({
  updated: row.updated,
  deletedAt: row.deletedAt,
  payloadText: row.payload,
  clamp: clampOf(row),
  pushed: pushedOf(row),
});

type Winner = Extract<Verdict, { outcome: "applied" | "late" }>;

/** Puts a change over what stands, and says how that went. */
const take = (push: Push, change: Change, verdict: Winner, before: RecordRow | null): Judged => {
  // No edit is made later than now, whatever the device's clock says.
  const knowledge = knowledgeOf(push.ack, Math.min(change.updated, push.now));
  const findMoved = change.table === "sync_tasks" ? push.findMoved : () => [];
  const merged = mergePush(stateOf(before), change, knowledge, findMoved);
  const late = verdict.outcome === "late";
  if (late && before && saysTheSame(before, merged)) {
    notePushed(push.tx.orm, before, pushedBy(change, change.updated, "late"));
    return { fate: "late", buries: false };
  }
  const taken = late ? "late" : merged.differs ? "merged" : "applied";
  const clamped = !late && verdict.clamp !== null;
  const row = put(push, change, { verdict, merged, taken }, before);
  if (clamped) keepRefused(push.tx.orm, row, change, replacement(push, "clamped"));
  const fate = !clamped ? taken : taken === "merged" ? "clamped_merged" : "clamped";
  return { fate, buries: isBurial(before, merged) };
};

const saysTheSame = (row: RecordRow, { payload, deletedAt }: Merged): boolean =>
  row.deletedAt === deletedAt && sameJson(payloadOf(row), payload);

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

const pushedBy = (change: Change, updated: Instant, as: Taken): Pushed => ({
  updated,
  content: pushedContent(change),
  as,
});

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
    filed,
  };
  const stamps = {
    changedAt: tx.stamp(accountId, now),
    pushed: pushedBy(change, sent, taken),
    clamp: clamp ?? (before && clampOf(before)),
    guards,
  };
  const loss = isBurial(before, merged) ? "deleted" : taken === "late" ? "merged" : "edited";
  return putRecord(tx.orm, draft, stamps, before, replacement(push, loss), trash);
};
