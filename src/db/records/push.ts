import { acknowledge, NO_ACK, unnoticed } from "../../domain/sync/ack.ts";
import type { Change, ParsedChanges } from "../../domain/sync/change.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { andThen, inTurn, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import { keyText, type RecordKey, type Table } from "../../domain/base/record.ts";
import { versionDigest } from "../../domain/history/version.ts";
import { judge } from "../../domain/sync/verdict.ts";
import { childIds, movedIds } from "../../domain/sync/moved.ts";
import type { Past } from "../../domain/sync/past.ts";
import {
  judgePush,
  type JudgedPush,
  type PushOutcome,
  type Push,
  storedOf,
} from "../../domain/sync/push.ts";
import { filedOf, payloadOf, type RecordRow } from "../../domain/sync/row.ts";
import { bucketIdOf } from "../../domain/tasks/bucket.ts";
import type { Transaction } from "../transaction.ts";
import { type KnownHolder, readHeld, readPast } from "./past.ts";
import { writeRecords } from "./write.ts";

/** A pushed record in whose place another row stands. */
type Listed = {
  readonly table: Table;
  readonly id: string;
  /** The client's own text, ISO 8601. */
  readonly updatedAt: string;
};

/** A record that is not stored as it was sent. A device that takes over every `server_row` here misses nothing. */
type Rejected = Listed & { readonly reason: "clamped" | "merged" | "stale" };

export type PushResult = {
  /** Records now stored as new or replaced, already stored, clamped or merged. */
  readonly applied: number;
  readonly rejected: readonly Rejected[];
  /** Those of the rejected that the server combined with content that the device cannot have known. */
  readonly merged: readonly Listed[];
  readonly invalid: ParsedChanges["invalid"];
};

/** The session that pushes. `since` is the device's stored cursor, if the push sends it. */
export type Sender = { readonly sessionId: string; readonly since?: Instant | null };

/**
 * Applies a push. Each record is judged separately; all that win are committed together and counted for the
 * sending session. With a null sender, nothing is known about the device.
 */
export const pushChanges = (
  tx: Transaction,
  sender: Sender | null,
  { changes: sent, invalid }: ParsedChanges,
): MaybePromise<PushResult> =>
  andThen(readHolder(tx, sender), (holder) => {
    const changes = holder.restored === null ? sent.map(withoutOwnBase) : sent;
    return andThen(readPush(tx, holder, changes), (push) => {
      const judged = judgePush(push, changes);
      const result = { ...resultOf(changes, judged.outcomes), invalid };
      return andThen(writePush(tx, sender, push, judged, result), () => result);
    });
  });

/**
 * A device sends a version that it was given again only after a restore. Otherwise, it has made two edits with one
 * stamp, and the base says nothing.
 */
const withoutOwnBase = (change: Change): Change =>
  change.base !== null && change.base === change.updatedAt ? { ...change, base: null } : change;

const readPush = (
  tx: Transaction,
  holder: KnownHolder,
  changes: readonly Change[],
): MaybePromise<Push> =>
  andThen(findAll(tx, changes, new Map()), (named) =>
    andThen(findAll(tx, bucketsOf(changes, named), named), (rows) =>
      andThen(readPasts(tx, changes, rows, holder), (pasts) =>
        andThen(findClamped(tx, changes, rows), (clampedBefore) =>
          andThen(findMoved(tx, changes, rows), (children) =>
            andThen(findArrivals(tx, changes, rows, children, holder), (arrivals) => ({
              accountId: tx.accountId,
              by: { kind: "session", id: holder.sessionId, name: "" },
              rows,
              children,
              pasts,
              clampedBefore,
              arrivals,
              stamp: tx.sync.stamp(),
              now: tx.now,
            })),
          ),
        ),
      ),
    ),
  );

const readHolder = (tx: Transaction, sender: Sender | null): MaybePromise<KnownHolder> =>
  andThen(tx.history.kept(), ({ since, restored }) =>
    andThen(sender === null ? NO_ACK : tx.sync.ack(sender.sessionId), (known) => {
      const sessionId = sender?.sessionId ?? null;
      const ack = sender?.since === undefined ? known : acknowledge(known, sender.since);
      return { since, sessionId, ack, restored: unnoticed(restored, ack) };
    }),
  );

const readPasts = (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
  holder: KnownHolder,
): MaybePromise<Push["pasts"]> => {
  const pasts = new Map<Change, Past>();
  const touched = changes.filter((change) => rows.get(keyText(change))?.protectedAt != null);
  return andThen(
    inTurn(touched, (change) => {
      const row = rows.get(keyText(change));
      return andThen(row ? readPast(tx, row, change, holder) : null, (past) => {
        if (past) pasts.set(change, past);
      });
    }),
    () => pasts,
  );
};

/** Returns the changes that were clamped before. A record is clamped seldom, so this is hardly ever looked up. */
const findClamped = (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
): MaybePromise<Push["clampedBefore"]> => {
  const before = new Set<Change>();
  const suspect = changes.filter((change) => rows.get(keyText(change))?.clampRaw != null);
  return andThen(
    inTurn(suspect, (change) =>
      andThen(tx.history.wasRefused(change, versionDigest("clamped", change)), (was) => {
        if (was) before.add(change);
      }),
    ),
    () => before,
  );
};

/**
 * Finds the filed tabs and notes that stale changes bring: those that the device did not hold there when it made the
 * edit, and that the record has not had since.
 */
const findArrivals = (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
  children: Push["children"],
  holder: KnownHolder,
): MaybePromise<Push["arrivals"]> => {
  const arrivals = new Map<Change, ReadonlySet<string>>();
  const suspects = children.size === 0 ? [] : changes.filter(({ table }) => table === "sync_tasks");
  return andThen(
    inTurn(suspects, (change) => {
      const row = rows.get(keyText(change));
      const ids = new Set(childIds(change.payload).filter((id) => children.has(id)));
      if (!row || ids.size === 0) return undefined;
      for (const id of knownIds(row)) ids.delete(id);
      if (ids.size === 0 || judge(storedOf(row), change, tx.now).outcome !== "stale")
        return undefined;
      return andThen(readHeld(tx, row, change, holder), ({ versions }) => {
        for (const id of versions.flatMap(childIds)) ids.delete(id);
        if (ids.size > 0) arrivals.set(change, ids);
      });
    }),
    () => arrivals,
  );
};

const knownIds = (row: RecordRow): readonly string[] => [
  ...childIds(payloadOf(row)),
  ...filedOf(row).map(({ id }) => id),
];

/** Returns the filed tabs and notes that the push may have moved from one task to another. */
const findMoved = (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
): MaybePromise<Push["children"]> => {
  const ids = movedInto(changes, rows);
  // A person's are known only where they were: a device that moves one sends both tasks.
  const here = [...rows.values()].flatMap(filedOf);
  return andThen(
    tx.children.find(ids),
    (found) => new Map([...here, ...found].map((child) => [child.id, child])),
  );
};

/** Returns the records of these keys by `keyText`, reading only those that `known` lacks. */
const findAll = (
  tx: Transaction,
  keys: readonly RecordKey[],
  known: Push["rows"],
): MaybePromise<Push["rows"]> => {
  if (keys.length === 0) return known;
  const wanted = new Map(keys.map((key) => [keyText(key), key]));
  return andThen(tx.records.find([...wanted.values()]), (found) => {
    const rows = found.flatMap((row) => (row ? [[keyText(row), row] as const] : []));
    return new Map([...known, ...rows]);
  });
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
const movedInto = (changes: readonly Change[], rows: Push["rows"]): readonly string[] => {
  const tasks = changes.filter(({ table }) => table === "sync_tasks");
  const keys = tasks.map(keyText);
  const times = Map.groupBy(keys, (key) => key);
  return tasks.flatMap((change, at) => {
    const key = keys[at] ?? "";
    const row = rows.get(key);
    // A record that occurs twice in a push may drop a child first and add it back second.
    const once = times.get(key)?.length === 1;
    return movedIds(() => (row && once ? payloadOf(row) : {}), change.payload);
  });
};

const writePush = (
  tx: Transaction,
  sender: Sender | null,
  { by }: Push,
  { writes, superseded, deleted }: JudgedPush,
  result: PushResult,
): MaybePromise<void> => {
  const sessionId = sender?.sessionId ?? null;
  const counts = { applied: result.applied, rejected: refusedIn(result) };
  return inTurn(
    [
      () => writeRecords(tx, writes, superseded, by),
      () => deleted > MASS_DELETION && tx.history.noteDeletion(sessionId, deleted),
      () => sessionId !== null && tx.sync.count(sessionId, counts),
    ],
    (write) => write(),
  );
};

/** How many records count as rejected for the device. Merged ones do not, because they were applied. */
const refusedIn = ({ rejected, invalid }: PushResult): number =>
  rejected.filter(({ reason }) => reason !== "merged").length + invalid.length;

/** A push that deletes more records than this is still applied, but is noted so that it can be restored. */
const MASS_DELETION = 100;

const resultOf = (
  changes: readonly Change[],
  outcomes: readonly PushOutcome[],
): Omit<PushResult, "invalid"> => {
  const judged = changes.map((change, at) => ({ change, outcome: outcomes[at] as PushOutcome }));
  const rejected = judged.flatMap(({ change, outcome }) => rejection(change, outcome));
  const stale = rejected.filter(({ reason }) => reason === "stale").length;
  const merged = judged.flatMap(({ change, outcome }) =>
    MERGED.has(outcome) ? [listed(change)] : [],
  );
  return { applied: changes.length - stale, rejected, merged };
};

const listed = ({ table, id, updatedAt }: Change): Listed => ({ table, id, updatedAt });

const MERGED: ReadonlySet<PushOutcome> = new Set(["clamped_merged", "late", "merged"]);

const REASONS: Partial<Record<PushOutcome, Rejected["reason"]>> = {
  clamped: "clamped",
  clamped_merged: "clamped",
  late: "merged",
  merged: "merged",
  stale: "stale",
};

const rejection = (change: Change, outcome: PushOutcome): readonly Rejected[] => {
  const reason = REASONS[outcome];
  return reason === undefined ? [] : [{ ...listed(change), reason }];
};
