import { formatInstant, type Instant } from "../base/instant.ts";
import { breathe } from "../base/breathe.ts";
import { sameJson, serialise } from "../base/payload.ts";
import { keyText } from "../base/record.ts";
import { addArrivals } from "./arrivals.ts";
import type { Change } from "./change.ts";
import { type Merged, mergePush } from "./merge.ts";
import { type AgentChild, childFinder, type StoredState } from "../tasks/filed.ts";
import {
  type AppliedAs,
  clampOf,
  filedOf,
  payloadOf,
  pushedOf,
  type RecordRow,
  type RecordWrite,
  type Replacement,
  withPushed,
} from "../records/row.ts";
import type { Overtaken } from "./overtaken.ts";
import { madeOn, type Past } from "./past.ts";
import {
  laterThan,
  pushedBy,
  pushedRow,
  type Pushing,
  rowAfter,
  type Winner,
} from "./pushed-row.ts";
import { isOvertaken, judge, type Stored } from "./proof.ts";

/** What is known when a push is judged. */
export type Push = Pushing & {
  /** Tabs and notes filed over REST, by id: those that the push may have moved. */
  readonly children: ReadonlyMap<string, AgentChild>;
  /** What devices held and what was done over REST since, for changes that cannot have known all of that. */
  readonly pasts: ReadonlyMap<Change, Past>;
  /** Changes that were refused before and are sent again. */
  readonly refusedBefore: ReadonlyMap<Change, RefusedAs>;
  /** Changes that send a version again which their device was given. */
  readonly given: ReadonlySet<Change>;
  /** Changes on top of a version that is no longer the latest, and what was done since. */
  readonly overtaken: ReadonlyMap<Change, Overtaken>;
  /** The newest stamp in the backup of the first restore that the device has not noticed; null if there is none. */
  readonly restored: Instant | null;
  /** For changes that do not win: the tabs and notes in them that are not lost, by `childKey`. */
  readonly arrivals: ReadonlyMap<Change, ReadonlySet<string>>;
};

/** How a change was refused before. Sent again, it does not win because time has passed. */
export const REFUSED_AS = ["clamped", "stale"] as const;
export type RefusedAs = (typeof REFUSED_AS)[number];

/** A version that a device pushed and that was not stored as sent; `current` is the stored row. */
export type RefusedChange = {
  readonly loss: "clamped" | "merged" | "stale";
  readonly current: RecordRow;
  readonly change: Change;
};

/** The outcome for one record of a push. `replaced`: stored before, and no longer the current version. */
export type PushOutcome = AppliedAs | "clamped" | "clamped_merged" | "replaced" | "stale";

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
export const judgePush = async (push: Push, changes: readonly Change[]): Promise<JudgedPush> => {
  const rows = new Map(push.rows);
  const pasts = new Map(push.pasts);
  const underWay = { ...push, rows, pasts };
  const judged: Judged[] = [];
  for (const at of bucketsFirst(changes)) {
    await breathe();
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
  const change = changes[at] as Change;
  for (const later of changes.slice(at + 1)) {
    const isSame = later.id === change.id && later.table === change.table;
    const past = isSame ? pasts.get(later) : undefined;
    if (past) pasts.set(later, madeOn(past, change));
  }
};

const judgeChange = (push: Push, change: Change, before: RecordRow | null): Judged => {
  const verdict = judge(before && storedOf(before), change, push.now);
  if (before && isOvertaken(before, change, verdict, push.restored))
    return withArrivals(push, change, before, {
      outcome: push.overtaken.get(change)?.wasStored ? "replaced" : "stale",
    });
  const isNews = verdict.outcome === "applied" || verdict.outcome === "late";
  const refused = isNews ? push.refusedBefore.get(change) : undefined;
  if (refused) return stays(refused);
  switch (verdict.outcome) {
    case "same":
      return noteSame(push, change, before);
    case "repeated":
      // It was applied once and has been replaced since. It was stored as a version then, so it is only
      // reported now.
      if (verdict.as !== "applied") return stays(verdict.as);
      return stays(push.overtaken.get(change)?.wasStored ? "replaced" : "stale");
    case "same_clamped":
      return stays(verdict.merged ? "clamped_merged" : "clamped");
    case "stale":
      // A version that is sent again after a restore, which the backup had: what came since was made on top of it.
      if (push.overtaken.get(change)?.wasStored) return stays("replaced");
      return refuse(push, change, before);
    case "late":
      // A version that its device was given, sent once more: what came since was made on top of it.
      if (push.overtaken.get(change)?.wasStored) return stays("replaced");
      return apply(push, change, verdict, before);
    case "applied":
      return apply(push, change, verdict, before);
  }
};

/** A device has made the very version that is stored: its edit counts as pushed, so that older ones do not win over it. */
const noteSame = (push: Push, change: Change, before: RecordRow | null): Judged => {
  const last = before && pushedOf(before);
  if (!before || push.given.has(change) || (last !== null && last.updated >= change.updated))
    return stays("applied");
  const row = withPushed(before, pushedBy(change, change.updated, "applied"));
  return { outcome: "applied", row, superseded: [] };
};

const stays = (outcome: PushOutcome, superseded: Judged["superseded"] = []): Judged => ({
  outcome,
  row: null,
  superseded,
});

/** The parts of a row that decide which version wins. */
export const storedOf = (row: RecordRow): Stored => ({
  updated: row.updated,
  updatedAt: row.updatedAt,
  deletedAt: row.deletedAt,
  payloadText: row.payload,
  // Hardly ever needed, and parsed only then.
  get payload() {
    return payloadOf(row);
  },
  clamp: clampOf(row),
  pushed: pushedOf(row),
});

/** A stale change loses to what another device has changed. */
const refuse = (push: Push, change: Change, before: RecordRow | null): Judged =>
  before ? withArrivals(push, change, before, { outcome: "stale", isKept: true }) : stays("stale");

/**
 * What a change that does not win brings is not lost if a device moved it here from another task, or held it when the
 * server was restored. `isKept`: the version is stored in the history.
 */
const withArrivals = (
  push: Push,
  change: Change,
  before: RecordRow,
  { outcome, isKept = false }: { readonly outcome: PushOutcome; readonly isKept?: boolean },
): Judged => {
  const refused = (current: RecordRow): Judged["superseded"] =>
    isKept ? [{ loss: "stale", current, change }] : [];
  const keys = push.arrivals.get(change);
  const added =
    keys && addArrivals(stateOf(before), change.payload, keys, childFinder(push.children));
  if (!added) return stays(outcome, refused(before));
  const { payload, filed } = added;
  const updated = laterThan(push, change, before.updated);
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
  return { outcome, row, superseded: [replacement, ...refused(row)] };
};

/** Applies a winning change to what is stored. */
const apply = (push: Push, change: Change, verdict: Winner, before: RecordRow | null): Judged => {
  const findMovedChildren = change.table === "sync_tasks" ? childFinder(push.children) : () => [];
  const past = push.pasts.get(change) ?? null;
  const late = verdict.outcome === "late";
  const merged = mergePush(stateOf(before), change, { past, isLate: late, findMovedChildren });
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
