import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Difference } from "../../domain/history/version.ts";
import { version } from "../schema/history.ts";
import { record } from "../schema/records.ts";
import { type Orm, prepared } from "../query.ts";
import type { Store } from "../store.ts";
import type { CallRow } from "./activity-pages.ts";

/** Statuses that say a task is done, and not merely closed. */
const DONE = new Set(["closed", "completed", "done"]);

/** How many later versions are looked through for the status that a call set. */
const LATER = 20;

const selectReplaced = prepared((orm) =>
  orm
    .select({ id: version.id, difference: version.difference })
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.byId, sql.placeholder("keyId")),
        eq(version.at, sql.placeholder("at")),
        eq(version.recordId, sql.placeholder("id")),
        isNull(version.digest),
        // A literal, so that SQLite can use the partial index.
        sql`by_kind = 'api_key'`,
      ),
    )
    .orderBy(asc(version.id))
    .limit(1)
    .prepare(),
);

const selectLater = prepared((orm) =>
  orm
    .select({ difference: version.difference })
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.table, "sync_tasks"),
        eq(version.recordId, sql.placeholder("id")),
        gt(version.id, sql.placeholder("after")),
        isNull(version.digest),
      ),
    )
    .orderBy(asc(version.id))
    .limit(LATER)
    .prepare(),
);

const selectStatus = prepared((orm) =>
  orm
    .select({ status: record.status })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, "sync_tasks"),
        eq(record.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

/** Returns the ids of those calls that set a task's status to done, as far as the history still knows. */
export const readFinished = async (
  { reader }: Store,
  accountId: number,
  calls: readonly CallRow[],
): Promise<ReadonlySet<number>> => {
  const finished = new Set<number>();
  for (const call of calls) if (await hasFinished(reader, accountId, call)) finished.add(call.id);
  return finished;
};

const hasFinished = async (
  orm: Orm,
  accountId: number,
  { keyId, at, status, dryRun, touched }: CallRow,
): Promise<boolean> => {
  if (status !== 200 || dryRun === 1 || !touched?.startsWith("task:")) return false;
  const id = touched.slice("task:".length);
  const replaced = await selectReplaced(orm).get({ accountId, keyId, at, id });
  if (!replaced || !changedStatus(replaced.difference)) return false;
  const later = await selectLater(orm).all({ accountId, id, after: replaced.id });
  const next = later.find(({ difference }) => changedStatus(difference));
  // What a version's difference sets is what was there before the change after it.
  if (next) return DONE.has(String(parsed(next.difference)?.set?.["status"]));
  if (later.length === LATER) return false;
  return DONE.has((await selectStatus(orm).get({ accountId, id }))?.status ?? "");
};

const changedStatus = (text: string | null): boolean => {
  const { set = {}, unset = [] } = parsed(text) ?? {};
  return Object.hasOwn(set, "status") || unset.includes("status");
};

const parsed = (text: string | null): Difference | null =>
  text === null ? null : (JSON.parse(text) as Difference);
