import { and, eq, gt, sql } from "drizzle-orm";
import type { StoredReply, KeyedRequest } from "../../domain/calls/idempotency.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { startOfNewest, writtenDays } from "../days.ts";
import type { Store } from "../store.ts";
import { prepared } from "../query.ts";
import { storedReply } from "../schema/history.ts";

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
  return (await selectStoredReply(store.reader).get({ ...place, after: now - RETENTION })) ?? null;
};

/** Rows deleted per transaction, so that no other write waits long. */
const PRUNED_AT_ONCE = 1_000;

/**
 * Replies stay until others were stored on this many later days, even if that takes longer than a day. A clock
 * that is ahead for an hour, even across midnight, therefore deletes none that a caller may still ask for.
 */
const DAYS_KEPT = 4;

/** Deletes the replies that are old both by the clock and by the days of use. */
export const pruneStoredReplies = async (store: Store, now: Instant): Promise<void> => {
  const firstKept = startOfNewest(await writtenDays(store.reader, storedReply, now), DAYS_KEPT);
  if (firstKept === null) return;
  const before = Math.min(now - RETENTION, firstKept - 1);
  const prune = (): Promise<number> =>
    store.writer.write(async (tx) => {
      const old = sql`select rowid from ${storedReply} where ${storedReply.at} <= ${before}
        limit ${PRUNED_AT_ONCE}`;
      const removed = tx.orm.delete(storedReply).where(sql`rowid in (${old})`);
      return (await removed.returning({ at: storedReply.at }).all()).length;
    });
  while ((await prune()) === PRUNED_AT_ONCE);
};
