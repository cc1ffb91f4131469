import { acknowledge, NO_ACK, unnoticed } from "../../domain/sync/proof.ts";
import type { Change } from "../../domain/sync/change.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { keyText, type RecordKey } from "../../domain/base/record.ts";
import { breathe } from "../../domain/base/breathe.ts";
import { type AgentChild, movedIds, personsChildren } from "../../domain/tasks/filed.ts";
import type { Push } from "../../domain/sync/push.ts";
import { filedOf, payloadOf } from "../../domain/records/row.ts";
import { bucketIdOf } from "../../domain/tasks/task.ts";
import type { Transaction } from "../transaction.ts";
import { type KnownHolder, withExpected } from "./past.ts";
import { findArrivals, findOvertaken, findRefused, readPasts } from "./push-unseen.ts";

/** The session that pushes. `since` is the device's stored cursor, if the push sends it. */
export type Sender = { readonly sessionId: string; readonly since?: Instant | null };

/** The changes of a push as they are judged, and what that depends on. */
type Read = { readonly changes: readonly Change[]; readonly push: Push };

/** Reads what judging a push depends on. */
export const readPush = async (
  tx: Transaction,
  sender: Sender | null,
  sent: readonly Change[],
): Promise<Read> => {
  const holder = await readHolder(tx, sender);
  const rows = await readRows(tx, sent);
  const changes = sent.map((one) => {
    const change = holder.restored === null ? withoutOwnBase(one) : one;
    return withExpected(change, rows.get(keyText(one)) ?? null, holder);
  });
  const push = await readFor(tx, holder, changes, rows);
  return { changes, push };
};

/**
 * A device sends a version that it was given again only after a restore. Otherwise, it has made two edits with one
 * stamp, and the base says nothing.
 */
const withoutOwnBase = (change: Change): Change =>
  change.base !== null && change.base === change.updatedAt ? { ...change, base: null } : change;

const readFor = async (
  tx: Transaction,
  holder: KnownHolder,
  changes: readonly Change[],
  rows: Push["rows"],
): Promise<Push> => {
  const pasts = await readPasts(tx, changes, rows, holder);
  const refusedBefore = await findRefused(tx, changes, rows);
  const overtaken = await findOvertaken(tx, changes, rows, holder);
  const children = await findMoved(tx, changes, rows);
  const arrivals = await findArrivals(tx, changes, { rows, children, pasts }, holder);
  return {
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
  };
};

/** Reads the stored records that the push names, and the buckets of its tasks. */
const readRows = async (tx: Transaction, changes: readonly Change[]): Promise<Push["rows"]> => {
  const named = await findAll(tx, changes, new Map());
  return findAll(tx, bucketsOf(changes, named), named);
};

/** Returns what is known of the device that pushes. With a null sender, that is nothing. */
const readHolder = async (tx: Transaction, sender: Sender | null): Promise<KnownHolder> => {
  const { since, restored, mark } = await tx.history.kept();
  const known = await (sender === null ? NO_ACK : tx.sync.ack(sender.sessionId));
  const sessionId = sender?.sessionId ?? null;
  const ack = sender?.since === undefined ? known : acknowledge(known, sender.since);
  const named = { mark, inAll: Math.min(...restored.map(({ newest }) => newest)) };
  const inAll = restored.length === 0 ? -1 : named.inAll;
  return { since, sessionId, ack, restored: unnoticed(restored, ack), named: { mark, inAll } };
};

/** Returns the filed tabs and notes that the push may have moved from one task to another. */
const findMoved = async (
  tx: Transaction,
  changes: readonly Change[],
  rows: Push["rows"],
): Promise<Push["children"]> => {
  const ids = await movedInto(changes, rows);
  const children: AgentChild[] = [];
  for (const change of ids.length === 0 ? [] : changes) {
    await breathe();
    children.push(...personsIn(change));
  }
  for (const row of rows.values()) {
    await breathe();
    children.push(...filedOf(row));
  }
  children.push(...(await tx.children.find(ids)));
  return new Map(children.map((child) => [child.id, child]));
};

const personsIn = ({ table, payload }: Change): readonly AgentChild[] =>
  table === "sync_tasks" ? personsChildren(payload) : [];

/** Returns the records of these keys by `keyText`, reading only those that `known` lacks. */
const findAll = async (
  tx: Transaction,
  keys: readonly RecordKey[],
  known: Push["rows"],
): Promise<Push["rows"]> => {
  if (keys.length === 0) return known;
  const wanted = new Map(keys.map((key) => [keyText(key), key]));
  const found = await tx.records.find([...wanted.values()]);
  const rows = found.flatMap((row) => (row ? [[keyText(row), row] as const] : []));
  return new Map([...known, ...rows]);
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
const movedInto = async (
  changes: readonly Change[],
  rows: Push["rows"],
): Promise<readonly string[]> => {
  const tasks = changes.filter(({ table }) => table === "sync_tasks");
  const times = Map.groupBy(tasks, keyText);
  const ids: string[] = [];
  for (const change of tasks) {
    await breathe();
    const key = keyText(change);
    const row = rows.get(key);
    // A record that occurs twice in a push may drop a child first and add it back second.
    const once = times.get(key)?.length === 1;
    ids.push(...movedIds(() => (row && once ? payloadOf(row) : {}), change.payload));
  }
  return ids;
};
