import type { Change } from "../../domain/sync/change.ts";
import { breathe } from "../../domain/base/breathe.ts";
import { keyText } from "../../domain/base/record.ts";
import { CHILD_LISTS } from "../../domain/tasks/task-fields.ts";
import { versionDigest } from "../../domain/history/version.ts";
import { childKey, childKeys } from "../../domain/sync/arrivals.ts";
import type { Overtaken } from "../../domain/sync/overtaken.ts";
import { type Push, REFUSED_AS, type RefusedAs, storedOf } from "../../domain/sync/push.ts";
import { itemsOf, type Past } from "../../domain/sync/past.ts";
import { isOvertaken, judge } from "../../domain/sync/proof.ts";
import { filedOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import type { Transaction } from "../transaction.ts";
import { type KnownHolder, mayLack, readHeld, readOvertaken } from "./past.ts";

// What a device may not have known when it made its changes, and what became of them before.

/** Reads the pasts of the records in which a change could lose work that its device may lack. */
export const readPasts = async (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
  holder: KnownHolder,
): Promise<Push["pasts"]> => {
  const pasts = new Map<Change, Past>();
  const touched = changes.filter(
    (change) => holder.restored !== null || rows.get(keyText(change))?.protectedAt != null,
  );
  for (const [row, of] of byRecord(touched, rows)) {
    await breathe();
    const behind = of.filter((change) => mayLack(row, change, holder, tx.now));
    const found = await readHeld(tx, row, behind, holder);
    for (const [change, past] of found) pasts.set(change, past);
  }
  return pasts;
};

/** The stored records that are changed, each with all changes to it. */
const byRecord = (
  changes: readonly Change[],
  rows: Push["rows"],
): readonly (readonly [RecordRow, readonly Change[]])[] =>
  [...Map.groupBy(changes, keyText)].flatMap(([key, of]) => {
    const row = rows.get(key);
    return row ? [[row, of] as const] : [];
  });

/**
 * Finds the changes that were clamped or stale before. Only beside a clamped stamp can the same change be judged otherwise
 * later, and a record is clamped seldom, so this is hardly ever looked up. A stale one counts only where work over REST
 * is to be kept: between devices, the later stamp wins. A device that expects the stored version has made its edit again
 * on that, even if it says the same as before.
 */
export const findRefused = async (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
): Promise<Push["refusedBefore"]> => {
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
  for (const [change, as] of questions) {
    await breathe();
    const was = await tx.history.wasRefused(change, versionDigest(as, change));
    if (was) before.set(change, as);
  }
  return before;
};

/**
 * Finds the changes on top of a version that is no longer the latest, and what was done since; and those that send a version
 * again which their device was `given`.
 */
export const findOvertaken = async (
  tx: Transaction,
  changes: readonly Change[],
  { rows, given }: { readonly rows: Push["rows"]; readonly given: ReadonlySet<Change> },
  { restored }: KnownHolder,
): Promise<Push["overtaken"]> => {
  const overtaken = new Map<Change, Overtaken>();
  // Of the commonest changes, nothing was stored since.
  const suspects = changes.filter((change) => {
    const row = rows.get(keyText(change));
    const isBehindExpected = change.expected !== null && row?.updated !== change.expected;
    return row && (isBehindExpected || (given.has(change) && row.updated > change.updated));
  });
  const isBehind = (row: RecordRow, change: Change): boolean => {
    const verdict = judge(storedOf(row), change, tx.now);
    const isOlder = given.has(change) && verdict.outcome !== "applied";
    return isOlder || isOvertaken(row, change, verdict, restored);
  };
  for (const [row, of] of byRecord(suspects, rows)) {
    const behind: Change[] = [];
    for (const change of of) {
      await breathe();
      if (isBehind(row, change)) behind.push(change);
    }
    const found = await readOvertaken(tx, row, behind);
    for (const [change, since] of found) overtaken.set(change, since);
  }
  return overtaken;
};

/**
 * Finds the tabs and notes in changes that do not win which are not lost: filed ones that a device moved here from another
 * task; and after a restore that it has not noticed, all. What the record has had since the version that the device held
 * was thrown away.
 */
export const findArrivals = async (
  tx: Transaction,
  changes: readonly Change[],
  { rows, children, pasts }: Pick<Push, "children" | "pasts" | "rows">,
  holder: KnownHolder,
): Promise<Push["arrivals"]> => {
  const { restored } = holder;
  const arrivals = new Map<Change, ReadonlySet<string>>();
  const filed = new Set([...children.values()].map((child) => childKey(child.list, child)));
  const isSuspect = ({ table }: Change): boolean =>
    table === "sync_tasks" && (filed.size > 0 || restored !== null);
  const isLoser = (row: RecordRow, change: Change): boolean => {
    const verdict = judge(storedOf(row), change, tx.now);
    if (verdict.outcome === "stale") return true;
    return restored !== null && isOvertaken(row, change, verdict, restored);
  };
  for (const [row, of] of byRecord(changes.filter(isSuspect), rows)) {
    const brought = new Map<Change, Set<string>>();
    // Most changes bring nothing: then the stored record is not parsed.
    let known: ReadonlySet<string> | null = null;
    for (const change of of) {
      await breathe();
      const keys = childKeys(change.payload).filter((key) => restored !== null || filed.has(key));
      if (keys.length === 0) continue;
      const there: ReadonlySet<string> = (known ??= new Set(keysNow(row)));
      const left = new Set(keys.filter((key) => !there.has(key)));
      if (left.size > 0 && isLoser(row, change)) brought.set(change, left);
    }
    const unread = [...brought.keys()].filter((change) => !pasts.has(change));
    const read = await readHeld(tx, row, unread, holder);
    for (const [change, keys] of brought) {
      await breathe();
      const past = pasts.get(change) ?? read.get(change);
      for (const list of CHILD_LISTS)
        for (const item of itemsOf(past?.versions ?? [], list))
          keys.delete(childKey(list, item) ?? "");
      if (keys.size > 0) arrivals.set(change, keys);
    }
  }
  return arrivals;
};

const keysNow = (row: RecordRow): readonly string[] => [
  ...childKeys(payloadOf(row)),
  ...filedOf(row).map(({ list, id }) => childKey(list, { id }) ?? ""),
];
