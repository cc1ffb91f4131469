import { setImmediate } from "node:timers/promises";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { findRecord, type RecordRow } from "../records/records.ts";
import { bringBack } from "./restore.ts";
import { HISTORY_RETENTION } from "./retention.ts";
import { massDeletion, version } from "../schema/history.ts";
import { walkBack } from "./history.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** A push that deleted very much at once. */
export type MassDeletion = typeof massDeletion.$inferSelect;

/** A push that deletes more than this is done, and noted with a way back. */
const MANY = 100;

/** Notes that a push deleted so many records, if that is very many. */
export const noteDeletion = (
  tx: Tx,
  accountId: number,
  sessionId: string | null,
  records: number,
  now: Instant,
): void => {
  if (records <= MANY) return;
  const stamp = tx.stamp(accountId, now);
  tx.orm.insert(massDeletion).values({ accountId, sessionId, at: now, stamp, records }).run();
};

/** The account's pushes of the last 90 days that deleted more than 100 records, the newest first. */
export const listDeletions = async (
  store: Store,
  accountId: number,
  now: Instant,
): Promise<readonly MassDeletion[]> =>
  store.reader
    .select()
    .from(massDeletion)
    .where(
      and(
        eq(massDeletion.accountId, accountId),
        sql`${massDeletion.at} >= ${now - HISTORY_RETENTION}`,
      ),
    )
    .orderBy(desc(massDeletion.id))
    .all();

const selectDeleted = prepared((orm) =>
  orm
    .select({ table: version.table, recordId: version.recordId })
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.stamp, sql.placeholder("stamp")),
        // A literal: SQLite cannot see through a parameter that a partial index is meant.
        sql`${version.loss} = 'deleted'`,
        sql`${version.byId} is ${sql.placeholder("sessionId")}`,
      ),
    )
    .prepare(),
);

/**
 * Restores all that one push deleted and that is deleted still. Returns how many records came back. A few
 * at a time: what a stop leaves over comes back when this is asked for again.
 */
export const restoreDeletion = async (
  store: Store,
  accountId: number,
  id: number,
  now: Instant,
): Promise<number> => {
  const noted = store.reader
    .select()
    .from(massDeletion)
    .where(and(eq(massDeletion.accountId, accountId), eq(massDeletion.id, id)))
    .get();
  if (!noted) throw new Refusal("not_found", "This deletion can no longer be restored.");
  const { stamp, sessionId } = noted;
  const deleted = selectDeleted(store.reader).all({ accountId, stamp, sessionId });
  let restored = 0;
  for (let at = 0; at < deleted.length; at += AT_ONCE) {
    const some = deleted.slice(at, at + AT_ONCE);
    restored += await store.writer.write((tx) => restoreSome(tx, noted, some, now));
    await setImmediate();
  }
  await store.writer.write((tx) =>
    tx.orm.update(massDeletion).set({ restoredAt: now }).where(eq(massDeletion.id, id)).run(),
  );
  return restored;
};

/** Each may hold a thousand tabs: so many are put back in a moment. */
const AT_ONCE = 10;

const restoreSome = (
  tx: Tx,
  noted: MassDeletion,
  some: readonly Pick<typeof version.$inferSelect, "table" | "recordId">[],
  now: Instant,
): number =>
  some.filter(({ table, recordId }) => {
    const row = findRecord(tx.orm, noted.accountId, table, recordId);
    return row && isEndedBy(tx, row, noted) && bringBack(tx, row, now) !== null;
  }).length;

/** Whether that push ended its last life. One that was brought back and deleted again since was meant. */
const isEndedBy = (tx: Tx, row: RecordRow, { stamp, sessionId }: MassDeletion): boolean => {
  if (row.deletedAt === null) return false;
  for (const { version: one, refused, before } of walkBack(tx.orm, row))
    if (!refused && before?.deletedAt === null)
      return one.stamp === stamp && one.byId === sessionId;
  return false;
};
