import { and, eq, gt, max, sql } from "drizzle-orm";
import type { StoredReply, KeyedRequest } from "../../domain/calls/idempotency.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { storedReply } from "../schema/history.ts";

/** How long the same request is given the same reply. */
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

/** What a request of that key was answered within 24 hours, whatever its body was; null for a new one. */
export const findStoredReply = async (
  store: Store,
  { credentialId, method, path, idempotencyKey }: KeyedRequest,
  now: Instant,
): Promise<StoredReply | null> => {
  const place = { credentialId, method, path, idempotencyKey };
  return selectStoredReply(store.reader).get({ ...place, after: now - RETENTION }) ?? null;
};

/** Rows that one transaction drops, so that no other write waits long. */
const PRUNED_AT_ONCE = 1_000;

/** Drops what is a day older than the newest: a clock that was set ahead for a moment empties nothing. */
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
