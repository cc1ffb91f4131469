import { and, desc, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { type Activity, isFolded } from "../../domain/calls/activity.ts";
import { type Instant, MINUTE } from "../../domain/base/instant.ts";
import { newestOld } from "../sqlite/days.ts";
import { direct } from "../sqlite/direct-query.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { activity, apiKey } from "../schema/credentials.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** A row of the list, with the key's name. It stands for `count` calls, the last of them at `at`. */
export type ActivityRow = Omit<typeof activity.$inferSelect, "minute"> & {
  readonly keyName: string;
};

const insertActivity = direct((orm) =>
  orm
    .insert(activity)
    .values({
      accountId: sql.placeholder("accountId"),
      keyId: sql.placeholder("keyId"),
      at: sql.placeholder("at"),
      method: sql.placeholder("method"),
      route: sql.placeholder("route"),
      status: sql.placeholder("status"),
      touched: sql.placeholder("touched"),
      client: sql.placeholder("client"),
      tookToken: sql.placeholder("tookToken"),
      count: 1,
      minute: sql.placeholder("minute"),
      dryRun: sql.placeholder("dryRun"),
      tool: sql.placeholder("tool"),
    })
    .onConflictDoUpdate({
      target: [activity.keyId, activity.minute, activity.method, activity.route, activity.status],
      targetWhere: isNotNull(activity.minute),
      set: { count: sql`${activity.count} + 1`, at: sql`max(${activity.at}, excluded.at)` },
    }),
);

const selectTokens = prepared((orm) =>
  orm
    .select({ at: activity.at })
    .from(activity)
    .where(and(eq(activity.keyId, sql.placeholder("keyId")), eq(activity.tookToken, 1)))
    .orderBy(desc(activity.at))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Records a call in the transaction that does its work, so that both are written or neither. */
export const insertCall = (tx: Tx, call: Activity): void => {
  const minute = isFolded(call) ? Math.floor(call.at / MINUTE) : null;
  const marks = { tookToken: Number(call.tookToken), dryRun: Number(call.dryRun) };
  insertActivity(tx.orm).run({ ...call, ...marks, minute });
};

/** Records a call that changed nothing. */
export const recordCall = (store: Store, call: Activity): Promise<void> =>
  store.writer.write((tx) => insertCall(tx, call), "trace");

/** When the key last took tokens from the limiter, newest first, up to `limit`. Refills the limiter after a start. */
export const tokenTimes = (store: Store, keyId: string, limit: number): readonly Instant[] =>
  selectTokens(store.reader)
    .all({ keyId, limit })
    .map(({ at }) => at);

/** The calls of one key, or of all keys if `keyId` is null, newest first. */
export const listActivity = async (
  store: Store,
  keyId: string | null,
  limit: number,
): Promise<readonly ActivityRow[]> =>
  store.reader
    .select({ row: activity, keyName: apiKey.name })
    .from(activity)
    .innerJoin(apiKey, eq(apiKey.id, activity.keyId))
    .where(keyId === null ? undefined : eq(activity.keyId, keyId))
    .orderBy(desc(activity.at), desc(activity.id))
    .limit(limit)
    .all()
    .map(({ row: { minute: _minute, ...row }, keyName }) => ({ ...row, keyName }));

/** How many rows one transaction drops. Other writes wait for no more than that. */
const PRUNED_AT_ONCE = 1_000;

/** Drops the calls that are old (`newestOld`). */
export const pruneActivity = async (store: Store, now: Instant): Promise<void> => {
  const last = newestOld(store.reader, activity, now);
  if (last === null) return;
  const prune = (): Promise<number> =>
    store.writer.write((tx) => {
      const old = tx.orm
        .select({ id: activity.id })
        .from(activity)
        .where(lte(activity.id, last))
        .limit(PRUNED_AT_ONCE);
      return tx.orm.delete(activity).where(inArray(activity.id, old)).returning().all().length;
    });
  while ((await prune()) === PRUNED_AT_ONCE);
};
