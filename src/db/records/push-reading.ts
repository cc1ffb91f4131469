import { acknowledge, NO_ACK, unnoticed } from "../../domain/sync/seen/ack.ts";
import type { Change } from "../../domain/sync/change.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import { keyText, type RecordKey } from "../../domain/base/record.ts";
import {
  eachInSlices,
  filterInSlices,
  inTurnInSlices,
  mapInSlices,
} from "../../domain/base/slices.ts";
import { versionDigest } from "../../domain/history/version.ts";
import { isGiven, isOvertaken, isTie, judge, tieSteps } from "../../domain/sync/verdict.ts";
import {
  type AgentChild,
  childIds,
  movedIds,
  personsChildren,
} from "../../domain/sync/merge/moved.ts";
import type { Overtaken } from "../../domain/sync/overtaken.ts";
import type { Past } from "../../domain/sync/seen/past.ts";
import { type Push, REFUSED_AS, type RefusedAs, storedOf } from "../../domain/sync/push.ts";
import { filedOf, payloadOf, type RecordRow } from "../../domain/sync/row.ts";
import { bucketIdOf } from "../../domain/tasks/bucket.ts";
import type { Transaction } from "../transaction.ts";
import { type KnownHolder, mayLack, readHeld, readOvertaken } from "./past.ts";

/** The session that pushes. `since` is the device's stored cursor, if the push sends it. */
export type Sender = { readonly sessionId: string; readonly since?: Instant | null };

/** Reads what judging a push depends on. */
export const readPush = (
  tx: Transaction,
  holder: KnownHolder,
  changes: readonly Change[],
): MaybePromise<Push> =>
  andThen(readRows(tx, changes), (rows) =>
    andThen(readPasts(tx, changes, rows, holder), (pasts) =>
      andThen(findRefused(tx, changes, rows), (refusedBefore) =>
        andThen(findOvertaken(tx, changes, rows, holder), (overtaken) =>
          andThen(findMoved(tx, changes, rows), (children) =>
            andThen(findArrivals(tx, changes, { rows, children, pasts }, holder), (arrivals) => ({
              accountId: tx.accountId,
              by: { kind: "session", id: holder.sessionId, name: "" },
              rows,
              children,
              pasts,
              refusedBefore,
              overtaken,
              restored: holder.restored,
              arrivals,
              stamp: tx.sync.stamp(),
              now: tx.now,
            })),
          ),
        ),
      ),
    ),
  );

/** Reads the stored records that the push names, and the buckets of its tasks. */
const readRows = (tx: Transaction, changes: readonly Change[]): MaybePromise<Push["rows"]> =>
  andThen(findAll(tx, changes, new Map()), (named) =>
    andThen(findAll(tx, bucketsOf(changes, named), named), (rows) =>
      andThen(prepareTies(changes, rows), () => rows),
    ),
  );

/** Does in slices what judging the changes that have a stored record's stamp would have to do at once. */
const prepareTies = (changes: readonly Change[], rows: Push["rows"]): MaybePromise<void> => {
  const steps = changes.flatMap((change) => {
    const row = rows.get(keyText(change));
    const stored = row?.updated === change.updated ? storedOf(row) : null;
    return stored && isTie(stored, change) ? tieSteps(stored, change) : [];
  });
  return eachInSlices(steps, (step) => step());
};

/** Returns what is known of the device that pushes. With a null sender, that is nothing. */
export const readHolder = (tx: Transaction, sender: Sender | null): MaybePromise<KnownHolder> =>
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
  const work = eachRecord(touched, rows, (row, of) => {
    const behind = of.filter((change) => mayLack(row, change, holder, tx.now));
    return andThen(readHeld(tx, row, behind, holder), (found) => {
      for (const [change, past] of found) pasts.set(change, past);
    });
  });
  return andThen(work, () => pasts);
};

/** Works on the changes to each stored record together, in slices. */
const eachRecord = (
  changes: readonly Change[],
  rows: Push["rows"],
  work: (row: RecordRow, changes: readonly Change[]) => MaybePromise<unknown>,
): MaybePromise<void> =>
  inTurnInSlices(Map.groupBy(changes, keyText), ([key, of]) => {
    const row = rows.get(key);
    return row && work(row, of);
  });

/**
 * Finds the changes that were clamped or stale before. Only beside a clamped stamp can the same change be judged otherwise
 * later, and a record is clamped seldom, so this is hardly ever looked up. A stale one counts only where work over REST
 * is to be kept: between devices, the later stamp wins. A device that expects the stored version has made its edit again
 * on that, even if it says the same as before.
 */
const findRefused = (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
): MaybePromise<Push["refusedBefore"]> => {
  const before = new Map<Change, RefusedAs>();
  const suspect = changes.filter((change) => {
    const row = rows.get(keyText(change));
    return row?.clampRaw != null && row.updated !== change.expected;
  });
  const isKept = (change: Change): boolean => rows.get(keyText(change))?.protectedAt != null;
  const questions = suspect.flatMap((change) =>
    REFUSED_AS.filter((as) => as === "clamped" || isKept(change)).map(
      (as) => [change, as] as const,
    ),
  );
  return andThen(
    inTurnInSlices(questions, ([change, as]) =>
      andThen(tx.history.wasRefused(change, versionDigest(as, change)), (was) => {
        if (was) before.set(change, as);
      }),
    ),
    () => before,
  );
};

/** Finds the changes on top of a version that is no longer the latest, and what was done since. */
const findOvertaken = (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
  { restored }: KnownHolder,
): MaybePromise<Push["overtaken"]> => {
  const overtaken = new Map<Change, Overtaken>();
  // Of the commonest changes, nothing was stored since.
  const suspects = changes.filter((change) => {
    const row = rows.get(keyText(change));
    return row && change.expected !== null && row.updated !== change.expected;
  });
  const isBehind = (row: RecordRow, change: Change): boolean => {
    const verdict = judge(storedOf(row), change, tx.now);
    const isOlder = isGiven(change) && verdict.outcome !== "applied";
    return isOlder || isOvertaken(row, change, verdict, restored);
  };
  const work = eachRecord(suspects, rows, (row, of) =>
    andThen(
      filterInSlices(of, (change) => isBehind(row, change)),
      (behind) =>
        andThen(readOvertaken(tx, row, behind), (found) => {
          for (const [change, since] of found) overtaken.set(change, since);
        }),
    ),
  );
  return andThen(work, () => overtaken);
};

/**
 * Finds the filed tabs and notes that stale changes bring: those that the device did not hold there when it made the
 * edit, and that the record has not had since.
 */
const findArrivals = (
  tx: Transaction,
  changes: readonly Change[],
  { rows, children, pasts }: Pick<Push, "children" | "pasts" | "rows">,
  holder: KnownHolder,
): MaybePromise<Push["arrivals"]> => {
  const arrivals = new Map<Change, ReadonlySet<string>>();
  const suspects = children.size === 0 ? [] : changes.filter(({ table }) => table === "sync_tasks");
  const work = eachRecord(suspects, rows, (row, of) =>
    andThen(findUnknown(row, of, children, tx.now), (unknown) => {
      const unread = [...unknown.keys()].filter((change) => !pasts.has(change));
      return andThen(readHeld(tx, row, unread, holder), (read) =>
        eachInSlices([...unknown], ([change, ids]) => {
          const { versions } = (pasts.get(change) ?? read.get(change)) as Past;
          for (const id of versions.flatMap(childIds)) ids.delete(id);
          if (ids.size > 0) arrivals.set(change, ids);
        }),
      );
    }),
  );
  return andThen(work, () => arrivals);
};

/** Returns the filed tabs and notes in stale changes to a record that the stored one has not. */
const findUnknown = (
  row: RecordRow,
  changes: readonly Change[],
  children: Push["children"],
  now: Instant,
): MaybePromise<ReadonlyMap<Change, Set<string>>> => {
  const unknown = new Map<Change, Set<string>>();
  // Most changes bring nothing that was filed: then the stored record is not parsed.
  let known: readonly string[] | null = null;
  const look = (change: Change): void => {
    const ids = new Set(childIds(change.payload).filter((id) => children.has(id)));
    if (ids.size > 0) for (const id of (known ??= knownIds(row))) ids.delete(id);
    if (ids.size > 0 && judge(storedOf(row), change, now).outcome === "stale")
      unknown.set(change, ids);
  };
  return andThen(eachInSlices(changes, look), () => unknown);
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
  return andThen(movedInto(changes, rows), (moved) => {
    const ids = moved.flat();
    const persons = ids.length === 0 ? [] : mapInSlices(changes, personsIn);
    return andThen(persons, (theirs) =>
      andThen(tx.children.find(ids), (found) =>
        andThen(mapInSlices([...rows.values()], filedOf), (here) => {
          const all = [...theirs.flat(), ...here.flat(), ...found];
          return new Map(all.map((child) => [child.id, child]));
        }),
      ),
    );
  });
};

const personsIn = ({ table, payload }: Change): readonly AgentChild[] =>
  table === "sync_tasks" ? personsChildren(payload) : [];

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
const movedInto = (
  changes: readonly Change[],
  rows: Push["rows"],
): MaybePromise<readonly (readonly string[])[]> => {
  const tasks = changes.filter(({ table }) => table === "sync_tasks");
  const times = Map.groupBy(tasks, keyText);
  return mapInSlices(tasks, (change) => {
    const key = keyText(change);
    const row = rows.get(key);
    // A record that occurs twice in a push may drop a child first and add it back second.
    const once = times.get(key)?.length === 1;
    return movedIds(() => (row && once ? payloadOf(row) : {}), change.payload);
  });
};
