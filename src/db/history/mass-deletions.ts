import { setImmediate } from "node:timers/promises";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { Store } from "../store.ts";
import { prepared } from "../query.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { bringBack } from "./restore.ts";
import { HISTORY_RETENTION } from "./quota.ts";
import { massDeletion, version } from "../schema/history.ts";
import type { Transaction } from "../transaction.ts";
import { findStep } from "./walk.ts";

/** A push that deleted an unusually large number of records. */
export type MassDeletion = typeof massDeletion.$inferSelect;

/** Returns the account's pushes of the last 90 days that deleted more than 100 records, newest first. */
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
    .select({ table: version.table, id: version.recordId })
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.stamp, sql.placeholder("stamp")),
        // A literal, not a parameter: SQLite can only match a partial index against a literal.
        sql`${version.loss} = 'deleted'`,
        sql`${version.byId} is not distinct from ${sql.placeholder("sessionId")}`,
      ),
    )
    .prepare(),
);

/**
 * Restores everything that one push deleted and that is still deleted. Returns the number of records
 * restored. Works in small batches; if the server stops halfway, call it again to restore the rest.
 */
export const restoreDeletion = async (
  store: Store,
  accountId: number,
  id: number,
  now: Instant,
): Promise<number> => {
  const noted = await store.reader
    .select()
    .from(massDeletion)
    .where(and(eq(massDeletion.accountId, accountId), eq(massDeletion.id, id)))
    .get();
  if (!noted) throw new Refusal("not_found", "This deletion can no longer be restored.");
  const { stamp, sessionId } = noted;
  const deleted = await selectDeleted(store.reader).all({ accountId, stamp, sessionId });
  let restored = 0;
  for (let at = 0; at < deleted.length; at += AT_ONCE) {
    const some = deleted.slice(at, at + AT_ONCE);
    restored += await store.transaction(accountId, now, (tx) => restoreSome(tx, noted, some));
    await setImmediate();
  }
  await store.transaction(accountId, now, (tx) => tx.history.noteRestored(id));
  return restored;
};

/** A record may hold a thousand tabs, so a batch of this size still commits quickly. */
const AT_ONCE = 10;

const restoreSome = async (
  tx: Transaction,
  noted: MassDeletion,
  keys: readonly RecordKey[],
): Promise<number> => {
  const rows = await tx.records.find(keys);
  let restored = 0;
  for (const row of rows) if (row && (await bringBackIf(tx, row, noted))) restored += 1;
  return restored;
};

const bringBackIf = async (
  tx: Transaction,
  row: RecordRow,
  noted: MassDeletion,
): Promise<RecordRow | null> => {
  const ended = await isEndedBy(tx, row, noted);
  return ended ? bringBack(tx, row) : null;
};

/**
 * Whether this push made the record's latest deletion. If the record was restored and deleted again since,
 * the second deletion was intended.
 */
const isEndedBy = async (
  tx: Transaction,
  row: RecordRow,
  { stamp, sessionId }: MassDeletion,
): Promise<boolean> => {
  if (row.deletedAt === null) return false;
  const step = await findStep(
    tx.history,
    row,
    ({ refused, before }) => !refused && before?.deletedAt === null,
  );
  return step !== null && step.version.stamp === stamp && step.version.byId === sessionId;
};
