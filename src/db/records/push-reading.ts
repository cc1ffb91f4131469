import { acknowledge, NO_ACK, unnoticed } from "../../domain/sync/proof.ts";
import type { Change } from "../../domain/sync/change.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import { keyText, type RecordKey } from "../../domain/base/record.ts";
import { mapInSlices } from "../../domain/base/slices.ts";
import { type AgentChild, movedIds, personsChildren } from "../../domain/tasks/moved.ts";
import type { Push } from "../../domain/sync/push.ts";
import { filedOf, payloadOf } from "../../domain/records/row.ts";
import { bucketIdOf } from "../../domain/tasks/bucket.ts";
import type { Transaction } from "../transaction.ts";
import { type KnownHolder, withExpected } from "./past.ts";
import { findArrivals, findOvertaken, findRefused, readPasts } from "./push-unseen.ts";

/** The session that pushes. `since` is the device's stored cursor, if the push sends it. */
export type Sender = { readonly sessionId: string; readonly since?: Instant | null };

/** The changes of a push as they are judged, and what that depends on. */
type Read = { readonly changes: readonly Change[]; readonly push: Push };

/** Reads what judging a push depends on. */
export const readPush = (
  tx: Transaction,
  sender: Sender | null,
  sent: readonly Change[],
): MaybePromise<Read> =>
  andThen(readHolder(tx, sender), (holder) =>
    andThen(readRows(tx, sent), (rows) => {
      const changes = sent.map((one) => {
        const change = holder.restored === null ? withoutOwnBase(one) : one;
        return withExpected(change, rows.get(keyText(one)) ?? null, holder);
      });
      return andThen(readFor(tx, holder, changes, rows), (push) => ({ changes, push }));
    }),
  );

/**
 * A device sends a version that it was given again only after a restore. Otherwise, it has made two edits with one
 * stamp, and the base says nothing.
 */
const withoutOwnBase = (change: Change): Change =>
  change.base !== null && change.base === change.updatedAt ? { ...change, base: null } : change;

const readFor = (
  tx: Transaction,
  holder: KnownHolder,
  changes: readonly Change[],
  rows: Push["rows"],
): MaybePromise<Push> =>
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
  );

/** Reads the stored records that the push names, and the buckets of its tasks. */
const readRows = (tx: Transaction, changes: readonly Change[]): MaybePromise<Push["rows"]> =>
  andThen(findAll(tx, changes, new Map()), (named) =>
    findAll(tx, bucketsOf(changes, named), named),
  );

/** Returns what is known of the device that pushes. With a null sender, that is nothing. */
const readHolder = (tx: Transaction, sender: Sender | null): MaybePromise<KnownHolder> =>
  andThen(tx.history.kept(), ({ since, restored, mark }) =>
    andThen(sender === null ? NO_ACK : tx.sync.ack(sender.sessionId), (known) => {
      const sessionId = sender?.sessionId ?? null;
      const ack = sender?.since === undefined ? known : acknowledge(known, sender.since);
      const named = { mark, inAll: Math.min(...restored.map(({ newest }) => newest)) };
      const inAll = restored.length === 0 ? -1 : named.inAll;
      return { since, sessionId, ack, restored: unnoticed(restored, ack), named: { mark, inAll } };
    }),
  );

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
