import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Activity, CallTrace } from "../../domain/calls/activity.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { newestOld } from "../days.ts";
import type { Store } from "../store.ts";
import { prepared } from "../query.ts";
import { activity, apiKey } from "../schema/credentials.ts";
import { selectAccount } from "../people/credentials.ts";
import { insertTrace } from "./trace.ts";

/**
 * A row of the activity list, with the key's name. It stands for `count` calls; the last one was at
 * `at`.
 */
export type ActivityRow = Omit<typeof activity.$inferSelect, "minute"> & {
  readonly keyName: string;
};

const selectTokens = prepared((orm) =>
  orm
    .select({ at: activity.at, count: activity.count })
    .from(activity)
    .where(and(eq(activity.keyId, sql.placeholder("keyId")), eq(activity.tookToken, 1)))
    .orderBy(desc(activity.at))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Records a call that changed nothing. */
export const recordCall = (store: Store, call: Activity): Promise<void> =>
  recordTrace(store, { activity: call, reply: null });

/**
 * Returns the times at which the key's last `limit` tokens were taken, newest first. The limiter
 * refills its buckets from them after a restart.
 */
export const tokenTimes = async (
  store: Store,
  keyId: string,
  limit: number,
): Promise<readonly Instant[]> =>
  (await selectTokens(store.reader).all({ keyId, limit }))
    .flatMap(({ at, count }) => Array.from({ length: Math.min(count, limit) }, () => at))
    .slice(0, limit);

/** Returns up to `limit` calls of one key, or of all keys if `keyId` is null, newest first. */
export const listActivity = async (
  store: Store,
  keyId: string | null,
  limit: number,
): Promise<readonly ActivityRow[]> =>
  (
    await store.reader
      .select({ row: activity, keyName: apiKey.name })
      .from(activity)
      .innerJoin(apiKey, eq(apiKey.id, activity.keyId))
      .where(keyId === null ? undefined : eq(activity.keyId, keyId))
      .orderBy(desc(activity.at), desc(activity.id))
      .limit(limit)
      .all()
  ).map(({ row: { minute: _minute, ...row }, keyName }) => ({ ...row, keyName }));

/** Rows deleted per transaction, so that no other write waits long. */
const PRUNED_AT_ONCE = 1_000;

/** Deletes the calls that are old (`newestOld`). */
export const pruneActivity = async (store: Store, now: Instant): Promise<void> => {
  const last = await newestOld(store.reader, activity, now);
  if (last === null) return;
  const prune = (): Promise<number> =>
    store.writer.write(async (tx) => {
      const old = tx.orm
        .select({ id: activity.id })
        .from(activity)
        .where(lte(activity.id, last))
        .limit(PRUNED_AT_ONCE);
      return (await tx.orm.delete(activity).where(inArray(activity.id, old)).returning().all())
        .length;
    });
  while ((await prune()) === PRUNED_AT_ONCE);
};

/**
 * Records the trace of a call that changed nothing. If its account `id` was deleted while the call ran, nothing is
 * stored: nobody would ever delete those rows.
 */
export const recordTraceOf = (store: Store, id: number, trace: CallTrace): Promise<void> =>
  store.writer.write(async ({ orm }) => {
    if (await selectAccount(orm).get({ id })) await insertTrace(orm, trace);
  }, leftBy(trace));

/** The same for an account that is known to be there. */
export const recordTrace = (store: Store, trace: CallTrace): Promise<void> =>
  store.writer.write(({ orm }) => insertTrace(orm, trace), leftBy(trace));

const leftBy = ({ reply }: CallTrace): "row" | "trace" => (reply ? "trace" : "row");
