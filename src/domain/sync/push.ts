import { type Actor, PERSON } from "../people/caller.ts";
import { holdsTrash } from "../tasks/bucket.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import { sameJson, serialise } from "../base/payload.ts";
import { keyText } from "../base/record.ts";
import type { Ack } from "./ack.ts";
import type { Change } from "./change.ts";
import { NO_GUARDS } from "./guards.ts";
import { knowledgeOf } from "./knowledge.ts";
import { type Merged, mergePush, type StoredState } from "./merge.ts";
import { type AgentChild, childFinder } from "./moved.ts";
import { recordRow, withPushed } from "./new-row.ts";
import type { RecordWrite, RefusedChange, Replacement } from "./replacement.ts";
import { clampOf, filedOf, guardsOf, payloadOf, pushedOf, type RecordRow } from "./row.ts";
import { type AppliedAs, judge, type Pushed, pushedContent, type Verdict } from "./verdict.ts";

/** What is known when a push is judged. */
export type Push = {
  readonly accountId: number;
  readonly by: Actor;
  /** What the device is known to have stored. */
  readonly ack: Ack;
  /** The stored records that the push names, and the buckets of its tasks, by `keyText`. */
  readonly rows: ReadonlyMap<string, RecordRow>;
  /** Tabs and notes filed by keys, by id: those that the push may have moved. */
  readonly children: ReadonlyMap<string, AgentChild>;
  /** The stamp of the transaction. */
  readonly stamp: Instant;
  readonly now: Instant;
};

/** The outcome for one record of a push. */
export type PushOutcome = AppliedAs | "clamped" | "clamped_merged" | "stale";

/** The result of judging a push. */
export type JudgedPush = {
  /** One per change, in the same order. */
  readonly outcomes: readonly PushOutcome[];
  /** The records to store, each once. */
  readonly writes: readonly RecordWrite[];
  /** The versions to store in the history, in order for each record. */
  readonly superseded: readonly (RefusedChange | Replacement)[];
  /** How many live records the push deletes. */
  readonly deleted: number;
};

/** The result of judging one change; `row` is null if the stored one stays. */
type Judged = {
  readonly outcome: PushOutcome;
  readonly row: RecordRow | null;
  readonly superseded: JudgedPush["superseded"];
};

/**
 * Judges the changes of a push one by one, each against the result of the earlier ones. Reads and writes
 * nothing.
 */
export const judgePush = (push: Push, changes: readonly Change[]): JudgedPush => {
  const rows = new Map(push.rows);
  const underWay = { ...push, rows };
  const judged: Judged[] = [];
  for (const at of bucketsFirst(changes)) {
    const change = changes[at] as Change;
    const key = keyText(change);
    const one = judgeChange(underWay, change, rows.get(key) ?? null);
    judged[at] = one;
    if (one.row) rows.set(key, one.row);
  }
  const superseded = judged.flatMap((one) => one.superseded);
  return {
    outcomes: judged.map(({ outcome }) => outcome),
    writes: writesOf(push.rows, rows),
    superseded,
    deleted: superseded.filter(({ loss }) => loss === "deleted").length,
  };
};

/**
 * Returns the indexes of the changes, buckets first: whether a task is in the trash depends on its bucket.
 */
const bucketsFirst = (changes: readonly Change[]): readonly number[] => {
  const indexes = [...changes.keys()];
  const isBucket = (at: number): boolean => changes[at]?.table === "sync_buckets";
  return indexes.some(isBucket)
    ? [...indexes.filter(isBucket), ...indexes.filter((at) => !isBucket(at))]
    : indexes;
};

const writesOf = (
  before: Push["rows"],
  after: ReadonlyMap<string, RecordRow>,
): readonly RecordWrite[] =>
  [...after].flatMap(([key, row]) => {
    const stored = before.get(key) ?? null;
    return row === stored ? [] : [{ row, before: stored }];
  });

const judgeChange = (push: Push, change: Change, before: RecordRow | null): Judged => {
  const verdict = judge(before && storedOf(before), change, push.now);
  switch (verdict.outcome) {
    case "same":
      return stays("applied");
    case "repeated":
      // It was applied once and has been replaced since. It was stored as a version then, so it is only
      // reported now.
      return stays(verdict.as === "applied" ? "stale" : verdict.as);
    case "same_clamped":
      return stays(verdict.merged ? "clamped_merged" : "clamped");
    case "stale":
      return stays("stale", before ? [{ loss: "stale", current: before, change }] : []);
    case "late":
    case "applied":
      return apply(push, change, verdict, before);
  }
};

const stays = (outcome: PushOutcome, superseded: Judged["superseded"] = []): Judged => ({
  outcome,
  row: null,
  superseded,
});

const storedOf = (row: RecordRow) => ({
  updated: row.updated,
  deletedAt: row.deletedAt,
  payloadText: row.payload,
  clamp: clampOf(row),
  pushed: pushedOf(row),
});

type Winner = Extract<Verdict, { outcome: "applied" | "late" }>;

/** Applies a winning change to what is stored. */
const apply = (push: Push, change: Change, verdict: Winner, before: RecordRow | null): Judged => {
  // An edit cannot be later than now, whatever the device's clock says.
  const knowledge = knowledgeOf(push.ack, Math.min(change.updated, push.now));
  const findMovedChildren = change.table === "sync_tasks" ? childFinder(push.children) : () => [];
  const merged = mergePush(stateOf(before), change, knowledge, findMovedChildren);
  const late = verdict.outcome === "late";
  if (late && before && hasSameContent(before, merged))
    return { ...stays("late"), row: withPushed(before, pushedBy(change, change.updated, "late")) };
  const as = late ? "late" : merged.differs ? "merged" : "applied";
  const row = pushedRow(push, change, verdict, merged, as, before);
  const deletes = before?.deletedAt === null && merged.deletedAt !== null;
  const loss = deletes ? "deleted" : late ? "merged" : "edited";
  const replacement = { loss, before, after: row } as const;
  if (late || verdict.clamp === null) return { outcome: as, row, superseded: [replacement] };
  const refused = { loss: "clamped", current: row, change } as const;
  const outcome = as === "merged" ? "clamped_merged" : "clamped";
  return { outcome, row, superseded: [replacement, refused] };
};

const hasSameContent = (row: RecordRow, { payload, deletedAt }: Merged): boolean =>
  row.deletedAt === deletedAt && sameJson(payloadOf(row), payload);

const NOTHING: StoredState = { payload: {}, deletedAt: null, filed: [], guards: NO_GUARDS };

const stateOf = (row: RecordRow | null): StoredState =>
  row
    ? {
        payload: payloadOf(row),
        deletedAt: row.deletedAt,
        filed: filedOf(row),
        guards: guardsOf(row),
      }
    : NOTHING;

const pushedBy = (change: Change, updated: Instant, as: AppliedAs): Pushed => ({
  updated,
  content: pushedContent(change),
  as,
});

/** Returns the row after a winning change. */
const pushedRow = (
  push: Push,
  change: Change,
  verdict: Winner,
  merged: Merged,
  as: AppliedAs,
  before: RecordRow | null,
): RecordRow => {
  const { accountId, now } = push;
  const sent = verdict.outcome === "late" ? change.updated : verdict.updated;
  // A record that differs from what was sent gets a later stamp than what was sent, so that every device
  // pulls it.
  const updated = as === "applied" ? sent : Math.max(now, sent + 1, (before?.updated ?? 0) + 1);
  const clamp = verdict.outcome === "applied" ? verdict.clamp : null;
  const draft = {
    accountId,
    table: change.table,
    id: change.id,
    payload: merged.payload,
    payloadText: merged.differs ? serialise(merged.payload) : change.payloadText,
    deletedAt: merged.deletedAt,
    updated,
    updatedAt: as === "applied" && !clamp ? change.updatedAt : formatInstant(updated),
    createdAt: before?.createdAt ?? now,
    // The author of a record is set when it is first stored. No push changes it.
    author: before ? { created_by: before.createdBy, created_by_key: before.createdByKey } : PERSON,
    filed: merged.filed,
  };
  const stamps = {
    changedAt: push.stamp,
    pushed: pushedBy(change, sent, as),
    clamp: clamp ?? (before && clampOf(before)),
    guards: merged.guards,
  };
  return recordRow(draft, stamps, push.by, trashAmong(push.rows));
};

/** Returns a test for trash buckets. */
const trashAmong =
  (rows: Push["rows"]) =>
  (id: string): boolean =>
    holdsTrash(id, rows.get(keyText({ table: "sync_buckets", id })) ?? null);
