import { and, eq, gt, sql } from "drizzle-orm";
import type { StoredReply, KeyedRequest } from "../../domain/calls/idempotency.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { startOfNewest, writtenDays } from "../sqlite/days.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { storedReply } from "../schema/history.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** How long a repeated request gets the same reply. */
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

// A row that is already there is older than a day and has not been dropped yet.
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

/** The reply that a request with that key got within the last 24 hours, whatever its body was; null if there was none. */
export const findStoredReply = async (
  store: Store,
  { credentialId, method, path, idempotencyKey }: KeyedRequest,
  now: Instant,
): Promise<StoredReply | null> => {
  const place = { credentialId, method, path, idempotencyKey };
  return selectStoredReply(store.reader).get({ ...place, after: now - RETENTION }) ?? null;
};

/** Keeps a reply in the transaction that does the work, so that both are written or neither. */
export const insertStoredReply = (tx: Tx, reply: StoredReply): void => {
  upsertStoredReply(tx.orm).run(reply);
};

/** How many rows one transaction drops. Other writes wait for no more than that. */
const PRUNED_AT_ONCE = 1_000;

/**
 * Replies stay until others were kept on so many later days, even if that takes longer than a day. So a clock that is
 * ahead for an hour, midnight included, takes none away that a caller may still ask for.
 */
const DAYS_KEPT = 4;

/** Drops the replies that are old: by the clock, and by the days of use. */
export const pruneStoredReplies = async (store: Store, now: Instant): Promise<void> => {
  const firstKept = startOfNewest(writtenDays(store.reader, storedReply, now), DAYS_KEPT);
  if (firstKept === null) return;
  const before = Math.min(now - RETENTION, firstKept - 1);
  const prune = (): Promise<number> =>
    store.writer.write((tx) => {
      const old = sql`select rowid from ${storedReply} where ${storedReply.at} <= ${before}
        limit ${PRUNED_AT_ONCE}`;
      const removed = tx.orm.delete(storedReply).where(sql`rowid in (${old})`);
      return removed.returning({ at: storedReply.at }).all().length;
    });
  while ((await prune()) === PRUNED_AT_ONCE);
};
