import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Activity } from "../../domain/calls/activity.ts";
import type { StoredReply } from "../../domain/calls/idempotency.ts";
import { activity } from "../schema/credentials.ts";
import { storedReply } from "../schema/history.ts";
import { type Orm, direct, perConnection } from "../query.ts";

/** The most rows that one key's refused calls take up in a minute, before they are counted without their route. */
const MOST_FOLDED = 60;

/** In place of a route or a method that is not stored. */
const ANY = "*";

const selectFolded = direct<{ readonly rows: number; readonly same: number | null }>((orm) =>
  orm
    .select({
      rows: sql<number>`count(*)`.as("rows"),
      same: sql<number | null>`sum(case when ${activity.method} = ${sql.placeholder("method")}
        and ${activity.route} = ${sql.placeholder("route")}
        and ${activity.status} = ${sql.placeholder("status")} then 1 else 0 end)`.as("same"),
    })
    .from(activity)
    .where(
      and(
        eq(activity.keyId, sql.placeholder("keyId")),
        eq(activity.minute, sql.placeholder("minute")),
      ),
    ),
);

/**
 * Returns the call as its minute's row counts it: as it is, or without its route once the key has filled its share of
 * rows. An attempt to delete stays one: its owner wants to see it.
 */
export const withinMinute = async (orm: Orm, call: Activity, minute: number): Promise<Activity> => {
  const { keyId, method, route, status } = call;
  const found = await selectFolded(orm).get({ keyId, minute, method, route, status });
  if (!found || found.rows < MOST_FOLDED || (found.same ?? 0) > 0) return call;
  const kept = method === "DELETE" || method === "PUT" ? method : ANY;
  return { ...call, method: kept, route: ANY, touched: null, tool: null };
};

/** In bytes: what the stored replies of one key or session may take up. */
const MOST_REPLIES = 64 * 1024 * 1024;
/** Of a row, beside its texts. */
const ROW = 200;
const DROPPED_AT_ONCE = 500;

const SIZE = sql<number>`octet_length(${storedReply.body}) + octet_length(${storedReply.path})
  + octet_length(${storedReply.idempotencyKey}) + ${sql.raw(String(ROW))}`;

/** What each credential has stored since it was last counted. Too much after a rollback, never too little. */
const totals = perConnection(() => new Map<string, number>());

/**
 * Makes room for a reply: once the stored ones of its credential take up more than `most` bytes, its oldest are deleted
 * until half of that is free. A repeat of their requests would run again, so the bound is far above what a key can
 * store in a day with replies of ordinary size.
 */
export const makeRoom = async (
  orm: Orm,
  { credentialId, body, path, idempotencyKey }: StoredReply,
  most = MOST_REPLIES,
): Promise<void> => {
  const size = Buffer.byteLength(body) + Buffer.byteLength(path) + idempotencyKey.length + ROW;
  const known = totals(orm);
  const before = known.get(credentialId) ?? (await totalOf(orm, credentialId));
  known.set(credentialId, before + size);
  if (before + size <= most) return;
  let total = await totalOf(orm, credentialId);
  if (total + size > most)
    while (
      total + size > most / 2 &&
      (await dropOldest(orm, credentialId, total + size - most / 2)) > 0
    )
      total = await totalOf(orm, credentialId);
  known.set(credentialId, total + size);
};

const totalOf = async (orm: Orm, credentialId: string): Promise<number> =>
  (
    await orm
      .select({ total: sql<number>`coalesce(sum(${SIZE}), 0)` })
      .from(storedReply)
      .where(eq(storedReply.credentialId, credentialId))
      .get()
  )?.total ?? 0;

/** Deletes the oldest replies, `excess` bytes of them if that many are found at once. Returns how many. */
const dropOldest = async (orm: Orm, credentialId: string, excess: number): Promise<number> => {
  const oldest = await orm
    .select({ row: sql<number>`rowid`, size: SIZE })
    .from(storedReply)
    .where(eq(storedReply.credentialId, credentialId))
    .orderBy(asc(storedReply.at))
    .limit(DROPPED_AT_ONCE)
    .all();
  let freed = 0;
  const enough = oldest.findIndex(({ size }) => (freed += size) >= excess);
  const dropped = enough === -1 ? oldest : oldest.slice(0, enough + 1);
  const rows = dropped.map(({ row }) => row);
  if (rows.length > 0)
    await orm
      .delete(storedReply)
      .where(inArray(sql`rowid`, rows))
      .run();
  return rows.length;
};
