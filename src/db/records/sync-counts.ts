import { eq, sql } from "drizzle-orm";
import { type Instant, MINUTE } from "../../domain/base/instant.ts";
import { saveAck } from "./acks.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { session } from "../schema/credentials.ts";
import type { Tx } from "../sqlite/transaction.ts";

const addCounts = prepared((orm) =>
  orm
    .update(session)
    .set({
      lastSyncAt: sql`${sql.placeholder("now")}`,
      pulled: sql`coalesce(${session.pulled}, 0) + ${sql.placeholder("pulled")}`,
      applied: sql`coalesce(${session.applied}, 0) + ${sql.placeholder("applied")}`,
      rejected: sql`coalesce(${session.rejected}, 0) + ${sql.placeholder("rejected")}`,
    })
    .where(eq(session.id, sql.placeholder("id")))
    .prepare(),
);

/** Counts what a push did for the session that sent it, in its transaction. */
export const countPush = (
  tx: Tx,
  id: string,
  done: { readonly applied: number; readonly rejected: number },
  now: Instant,
): void => {
  addCounts(tx.orm).run({ id, now, pulled: 0, ...done });
};

/**
 * Counts the records that a pull delivered to a session; one that delivered none, once a minute. Nobody
 * waits for it: a lost count is no lost record.
 */
export const countPull = (
  store: Store,
  { id, lastSyncAt }: { readonly id: string; readonly lastSyncAt?: Instant | null },
  pulled: number,
  now: Instant,
): void => {
  if (pulled === 0 && now - (lastSyncAt ?? 0) < MINUTE) return;
  store.writer
    .write((tx) => {
      addCounts(tx.orm).run({ id, now, pulled, applied: 0, rejected: 0 });
      saveAck(tx, store.acks, id);
    })
    .catch(() => {});
};
