import { and, eq, gt, max, sql } from "drizzle-orm";
import type { StoredReply, KeyedRequest } from "../../domain/calls/idempotency.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { storedReply } from "../schema/history.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** How long a repeated request gets the stored reply. */
const RETENTION = DAY;

const selectStoredReply = prepared((orm) =>
  orm
    .select()
    .from(storedReply)
    .where(
      and(
        eq(storedReply.credentialId, sql.placeholder("credentialId")),
        eq(storedReply.method, sql.placeholder("method")),
        eq(storedReply.path, sql.placeholder("path")),
        eq(storedReply.idempotencyKey, sql.placeholder("idempotencyKey")),
        gt(storedReply.at, sql.placeholder("after")),
      ),
    )
    .prepare(),
);

// A conflicting row is more than a day old and was not pruned yet.
const upsertStoredReply = prepared((orm) =>
  orm
    .insert(storedReply)
    .values({
      credentialId: sql.placeholder("credentialId"),
      method: sql.placeholder("method"),
      path: sql.placeholder("path"),
      idempotencyKey: sql.placeholder("idempotencyKey"),
      bodyHash: sql.placeholder("bodyHash"),
      at: sql.placeholder("at"),
      status: sql.placeholder("status"),
      body: sql.placeholder("body"),
      etag: sql.placeholder("etag"),
      touched: sql.placeholder("touched"),
    })
    .onConflictDoUpdate({
      target: [
        storedReply.credentialId,
        storedReply.method,
        storedReply.path,
        storedReply.idempotencyKey,
      ],
      set: {
        bodyHash: sql`excluded.body_hash`,
        at: sql`excluded.at`,
        status: sql`excluded.status`,
        body: sql`excluded.body`,
        etag: sql`excluded.etag`,
        touched: sql`excluded.touched`,
      },
    })
    .prepare(),
);

/**
 * Returns the reply given to this idempotency key in the last 24 hours, whatever the request's body
 * was. Null if there is none.
 */
export const findStoredReply = async (
  store: Store,
  { credentialId, method, path, idempotencyKey }: KeyedRequest,
  now: Instant,
): Promise<StoredReply | null> => {
  const place = { credentialId, method, path, idempotencyKey };
  return selectStoredReply(store.reader).get({ ...place, after: now - RETENTION }) ?? null;
};

/**
 * Stores a reply in the same transaction as the work, so that neither is ever stored without the
 * other.
 */
export const insertStoredReply = (tx: Tx, reply: StoredReply): void => {
  upsertStoredReply(tx.orm).run(reply);
};

/** Rows deleted per transaction, so that no other write waits long. */
const PRUNED_AT_ONCE = 1_000;

/**
 * Deletes replies more than a day older than the newest one. Counting from the newest row keeps a
 * clock that is briefly wrong from deleting them all.
 */
export const pruneStoredReplies = async (store: Store, now: Instant): Promise<void> => {
  const newest =
    store.reader
      .select({ at: max(storedReply.at) })
      .from(storedReply)
      .get()?.at ?? 0;
  const before = Math.min(now, newest) - RETENTION;
  const prune = (): Promise<number> =>
    store.writer.write((tx) => {
      const old = sql`select rowid from ${storedReply} where ${storedReply.at} <= ${before}
        limit ${PRUNED_AT_ONCE}`;
      const removed = tx.orm.delete(storedReply).where(sql`rowid in (${old})`);
      return removed.returning({ at: storedReply.at }).all().length;
    });
  while ((await prune()) === PRUNED_AT_ONCE);
};
