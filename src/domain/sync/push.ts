import { type Actor, PERSON } from "../people/caller.ts";
import { holdsTrash } from "../tasks/bucket.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import { sameJson, serialise } from "../base/payload.ts";
import { keyText } from "../base/record.ts";
import type { Change } from "./change.ts";
import { addArrivals, type Merged, mergePush, type StoredState } from "./merge.ts";
import { type AgentChild, childFinder } from "./moved.ts";
import type { Draft } from "../tasks/projection.ts";
import { recordRow, withPushed } from "./new-row.ts";
import type { Past } from "./past.ts";
import type { RecordWrite, RefusedChange, Replacement } from "./replacement.ts";
import { clampOf, filedOf, payloadOf, pushedOf, type RecordRow } from "./row.ts";
import {
  type AppliedAs,
  judge,
  type Pushed,
  pushedContent,
  type Stored,
  type Verdict,
} from "./verdict.ts";

/** What is known when a push is judged. */
export type Push = {
  readonly accountId: number;
  readonly by: Actor;
  /** The stored records that the push names, and the buckets of its tasks, by `keyText`. */
  readonly rows: ReadonlyMap<string, RecordRow>;
  /** Tabs and notes filed over REST, by id: those that the push may have moved. */
  readonly children: ReadonlyMap<string, AgentChild>;
  /** What devices held and what was done over REST since, for changes that cannot have known all of that. */
  readonly pasts: ReadonlyMap<Change, Past>;
  /** Changes that were clamped before and are sent again. */
  readonly clampedBefore: ReadonlySet<Change>;
  /** For stale changes: ids of filed tabs and notes that the record has never had before. */
  readonly arrivals: ReadonlyMap<Change, ReadonlySet<string>>;
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
  const pasts = new Map(push.pasts);
  const underWay = { ...push, rows, pasts };
  const judged: Judged[] = [];
  for (const at of bucketsFirst(changes)) {
    const change = changes[at] as Change;
    const key = keyText(change);
    const one = judgeChange(underWay, change, rows.get(key) ?? null);
    judged[at] = one;
    if (!one.row) continue;
    rows.set(key, one.row);
    if (pasts.size > 0) follow(pasts, changes, at);
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

/** A device that pushes a record twice holds its first change when it makes the second. */
const follow = (pasts: Map<Change, Past>, changes: readonly Change[], at: number): void => {
  const { table, id, payload, deletedAt } = changes[at] as Change;
  for (const later of changes.slice(at + 1)) {
    const past = later.id === id && later.table === table ? pasts.get(later) : undefined;
    if (!past) continue;
    const content = deletedAt === null ? { payload, seen: payload } : {};
    const held = { ...past.held, ...content, isDeleted: deletedAt !== null };
    pasts.set(later, { ...past, held });
  }
};

const judgeChange = (push: Push, change: Change, before: RecordRow | null): Judged => {
  const verdict = judge(before && storedOf(before), change, push.now);
  const isNews = verdict.outcome === "applied" || verdict.outcome === "late";
  if (isNews && push.clampedBefore.has(change)) return stays("clamped");
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
      return refuse(push, change, before);
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

/** The parts of a row that decide which version wins. */
export const storedOf = (row: RecordRow): Stored => ({
  updated: row.updated,
  deletedAt: row.deletedAt,
  payloadText: row.payload,
  clamp: clampOf(row),
  pushed: pushedOf(row),
});

type Winner = Extract<Verdict, { outcome: "applied" | "late" }>;

/**
 * A stale change loses to what another device has changed. But a filed tab or note that it brings is not lost: a device
 * moved it here from another task, or still had it after a restore.
 */
const refuse = (push: Push, change: Change, before: RecordRow | null): Judged => {
  if (!before) return stays("stale");
  const ids = push.arrivals.get(change);
  const added = ids && addArrivals(stateOf(before), change, ids, childFinder(push.children));
  if (!added) return stays("stale", [{ loss: "stale", current: before, change }]);
  const updated = Math.max(push.now, before.updated + 1);
  const { payload, filed } = added;
  const row = rowAfter(push, before, {
    table: change.table,
    id: change.id,
    payload,
    filed,
    updated,
    payloadText: serialise(payload),
    deletedAt: before.deletedAt,
    updatedAt: formatInstant(updated),
  });
  const replacement = { loss: "merged", before, after: row, via: "sync" } as const;
  return {
    outcome: "stale",
    row,
    superseded: [replacement, { loss: "stale", current: row, change }],
  };
};

/** Applies a winning change to what is stored. */
const apply = (push: Push, change: Change, verdict: Winner, before: RecordRow | null): Judged => {
  const findMovedChildren = change.table === "sync_tasks" ? childFinder(push.children) : () => [];
  const past = push.pasts.get(change) ?? null;
  const merged = mergePush(stateOf(before), change, { past, findMovedChildren });
  const late = verdict.outcome === "late";
  if (late && before && hasSameContent(before, merged)) {
    const row = withPushed(before, pushedBy(change, change.updated, "late"));
    return { outcome: "late", row, superseded: [{ loss: "merged", current: before, change }] };
  }
  const as = late ? "late" : merged.differs ? "merged" : "applied";
  const row = pushedRow(push, change, verdict, merged, as, before);
  const deletes = before?.deletedAt === null && merged.deletedAt !== null;
  const loss = deletes ? "deleted" : late ? "merged" : "edited";
  const replacement = { loss, before, after: row, via: "sync" } as const;
  const isClamped = verdict.outcome === "applied" && verdict.clamp !== null;
  const outcome = isClamped ? (as === "merged" ? "clamped_merged" : "clamped") : as;
  if (outcome === "applied") return { outcome, row, superseded: [replacement] };
  // What the device sent is stored too: it is what the device holds, if it does not take over the row.
  const sent = { loss: isClamped ? "clamped" : "merged", current: row, change } as const;
  return { outcome, row, superseded: [replacement, sent] };
};

const hasSameContent = (row: RecordRow, { payload, deletedAt }: Merged): boolean =>
  row.deletedAt === deletedAt && sameJson(payloadOf(row), payload);

const NOTHING: StoredState = { payload: {}, deletedAt: null, filed: [] };

const stateOf = (row: RecordRow | null): StoredState =>
  row ? { payload: payloadOf(row), deletedAt: row.deletedAt, filed: filedOf(row) } : NOTHING;

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
  const sent = verdict.outcome === "late" ? change.updated : verdict.updated;
  // A record that differs from what was sent gets a later stamp than what was sent, so that every device
  // pulls it.
  const updated =
    as === "applied" ? sent : Math.max(push.now, sent + 1, (before?.updated ?? 0) + 1);
  const clamp = verdict.outcome === "applied" ? verdict.clamp : null;
  const draft = {
    table: change.table,
    id: change.id,
    payload: merged.payload,
    payloadText: merged.differs ? serialise(merged.payload) : change.payloadText,
    deletedAt: merged.deletedAt,
    updated,
    updatedAt: as === "applied" && !clamp ? change.updatedAt : formatInstant(updated),
    filed: merged.filed,
  };
  return rowAfter(push, before, draft, pushedBy(change, sent, as), clamp);
};

/** Returns the row that replaces `before`. What is not said of it stays as it was. */
const rowAfter = (
  push: Push,
  before: RecordRow | null,
  content: Omit<Draft, "accountId" | "author" | "createdAt">,
  pushed = before && pushedOf(before),
  clamp = before && clampOf(before),
): RecordRow => {
  const draft = {
    ...content,
    accountId: push.accountId,
    createdAt: before?.createdAt ?? push.now,
    // The author of a record is set when it is first stored. No push changes it.
    author: before ? { created_by: before.createdBy, created_by_key: before.createdByKey } : PERSON,
  };
  const stamps = {
    changedAt: push.stamp,
    pushed,
    clamp: clamp ?? (before && clampOf(before)),
    protectedAt: hasArrivals(content, before) ? push.stamp : (before?.protectedAt ?? null),
  };
  return recordRow(draft, stamps, push.by, trashAmong(push.rows));
};

/** Whether filed tabs or notes were moved here. */
const hasArrivals = ({ filed }: Pick<Draft, "filed">, before: RecordRow | null): boolean => {
  if (filed.length === 0) return false;
  const known = new Set(filedOf(before).map(({ id }) => id));
  return filed.some(({ id }) => !known.has(id));
};

/** Returns a test for trash buckets. */
const trashAmong =
  (rows: Push["rows"]) =>
  (id: string): boolean =>
    holdsTrash(id, rows.get(keyText({ table: "sync_buckets", id })) ?? null);
