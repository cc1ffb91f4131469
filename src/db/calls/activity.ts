import { and, desc, eq, inArray, lt, max, sql } from "drizzle-orm";
import type { Activity } from "../../domain/calls/activity.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { insertTrace } from "../sqlite/calls/trace.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { activity, apiKey } from "../schema/credentials.ts";

/** A row of the list, with the key's name; `count` calls, the last of them at `at`. */
export type ActivityRow = Omit<typeof activity.$inferSelect, "minute"> & {
  readonly keyName: string;
};

const RETENTION = 90 * DAY;

const selectTokens = prepared((orm) =>
  orm
    .select({ at: activity.at })
    .from(activity)
    .where(and(eq(activity.keyId, sql.placeholder("keyId")), eq(activity.tookToken, 1)))
    .orderBy(desc(activity.at))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Records a call that changed nothing. */
export const recordCall = (store: Store, call: Activity): Promise<void> =>
  store.writer.write(({ orm }) => insertTrace(orm, { activity: call, kept: null }), "trace");

/** When the key's last `limit` tokens were taken, the newest first: refills the limiter after a start. */
export const tokenTimes = (store: Store, keyId: string, limit: number): readonly Instant[] =>
  selectTokens(store.reader)
    .all({ keyId, limit })
    .map(({ at }) => at);

/** The calls of one key, or (null) of all, newest first. */
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

/** Rows that one transaction drops, so that no other write waits long. */
const PRUNED_AT_ONCE = 1_000;

/** Drops what is 90 days older than the newest row: a clock that was set ahead empties nothing. */
export const pruneActivity = async (store: Store, now: Instant): Promise<void> => {
  const newest =
    store.reader
      .select({ at: max(activity.at) })
      .from(activity)
      .get()?.at ?? 0;
  const before = Math.min(now, newest) - RETENTION;
  const prune = (): Promise<number> =>
    store.writer.write((tx) => {
      const old = tx.orm
        .select({ id: activity.id })
        .from(activity)
        .where(lt(activity.at, before))
        .limit(PRUNED_AT_ONCE);
      return tx.orm.delete(activity).where(inArray(activity.id, old)).returning().all().length;
    });
  while ((await prune()) === PRUNED_AT_ONCE);
};
