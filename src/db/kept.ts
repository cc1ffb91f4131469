import { and, eq, gt, max, sql } from "drizzle-orm";
import type { KeptReply, KeyedRequest } from "../idempotency.ts";
import { DAY, type Instant } from "../instant.ts";
import type { Store } from "./open.ts";
import { prepared } from "./orm.ts";
import { keptReply } from "./schema.history.ts";
import type { Tx } from "./writer.ts";

/** How long the same request is given the same reply. */
const RETENTION = DAY;

const selectKept = prepared((orm) =>
  orm
    .select()
    .from(keptReply)
    .where(
      and(
        eq(keptReply.credentialId, sql.placeholder("credentialId")),
        eq(keptReply.method, sql.placeholder("method")),
        eq(keptReply.path, sql.placeholder("path")),
        eq(keptReply.idempotencyKey, sql.placeholder("idempotencyKey")),
        gt(keptReply.at, sql.placeholder("after")),
      ),
    )
    .prepare(),
);

// One that is there already is older than a day, and was not dropped yet.
const upsertKept = prepared((orm) =>
  orm
    .insert(keptReply)
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
      target: [keptReply.credentialId, keptReply.method, keptReply.path, keptReply.idempotencyKey],
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

/** What a request of that key was answered within 24 hours, whatever its body was; null for a new one. */
export const findKept = async (
  store: Store,
  { credentialId, method, path, idempotencyKey }: KeyedRequest,
  now: Instant,
): Promise<KeptReply | null> => {
  const place = { credentialId, method, path, idempotencyKey };
  return selectKept(store.reader).get({ ...place, after: now - RETENTION }) ?? null;
};

/** Keeps a reply in the transaction that does the work, so that neither stands without the other. */
export const insertKept = (tx: Tx, reply: KeptReply): void => {
  upsertKept(tx.orm).run(reply);
};

/** Rows that one transaction drops, so that no other write waits long. */
const PRUNED_AT_ONCE = 1_000;

/** Drops what is a day older than the newest: a clock that was set ahead for a moment empties nothing. */
export const pruneKept = async (store: Store, now: Instant): Promise<void> => {
  const newest =
    store.reader
      .select({ at: max(keptReply.at) })
      .from(keptReply)
      .get()?.at ?? 0;
  const before = Math.min(now, newest) - RETENTION;
  const prune = (): Promise<number> =>
    store.writer.write((tx) => {
      const old = sql`select rowid from ${keptReply} where ${keptReply.at} <= ${before}
        limit ${PRUNED_AT_ONCE}`;
      const dropped = tx.orm.delete(keptReply).where(sql`rowid in (${old})`);
      return dropped.returning({ at: keptReply.at }).all().length;
    });
  while ((await prune()) === PRUNED_AT_ONCE);
};
