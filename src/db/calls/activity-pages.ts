import { setImmediate } from "node:timers/promises";
import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { MCP_ROUTE, type Way } from "../../domain/calls/activity.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import type { Outcome } from "../../domain/calls/outcome.ts";
import type { ActivityRow } from "./activity.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { activity, apiKey } from "../schema/credentials.ts";

/** Which calls a list shows; null stands for no such filter. */
export type CallFilter = {
  readonly keyId: string | null;
  readonly outcome: Outcome | null;
  readonly way: Way | null;
};

/** A place in the list: the newest first, and by id among those of one millisecond. */
export type CallPosition = { readonly at: Instant; readonly id: number };

export type CallRow = Omit<ActivityRow, "keyName">;

export type CallPage = {
  readonly rows: readonly CallRow[];
  /** Where the next page begins, null on the last one. */
  readonly next: CallPosition | null;
  /** Where a search that found less than a page stopped for now, null where it went on to the end. */
  readonly searchedTo: Instant | null;
};

/** Calls that one page looks through for those of a kind that is rare. */
export const SEARCHED_AT_ONCE = 20_000;

type Reach = { readonly key: boolean; readonly after: boolean };
type Shape = Reach & Omit<CallFilter, "keyId"> & { readonly bounded: boolean };

const AFTER = sql`(${activity.at}, ${activity.id}) < (${sql.placeholder("at")}, ${sql.placeholder("id")})`;

// The key as the account has it: nothing, for another account's key. So an index on keys is enough.
const OWN_KEY = sql`(select ${apiKey.id} from ${apiKey}
  where ${apiKey.id} = ${sql.placeholder("keyId")}
  and ${apiKey.accountId} = ${sql.placeholder("accountId")})`;

/** One key's calls, or all of the account's, each off its own index. */
const within = ({ key, after }: Reach): SQL | undefined =>
  and(
    key ? eq(activity.keyId, OWN_KEY) : eq(activity.accountId, sql.placeholder("accountId")),
    after ? AFTER : undefined,
  );

const HAS_OUTCOME: Readonly<Record<Outcome, SQL>> = {
  done: sql`${activity.status} between 200 and 299`,
  refused: sql`${activity.status} between 400 and 499`,
  deletes: sql`${activity.status} = 405 and ${activity.method} in ('DELETE', 'PUT')`,
  failed: sql`${activity.status} between 500 and 599`,
};

const CAME_BY: Readonly<Record<Way, SQL>> = {
  mcp: sql`${activity.route} = ${sql.raw(`'${MCP_ROUTE}'`)}`,
  rest: sql`${activity.route} <> ${sql.raw(`'${MCP_ROUTE}'`)}`,
};

const selectCalls = prepared((orm, shape: Shape) =>
  orm
    .select()
    .from(activity)
    .where(
      and(
        within(shape),
        shape.outcome === null ? undefined : HAS_OUTCOME[shape.outcome],
        shape.way === null ? undefined : CAME_BY[shape.way],
        shape.bounded ? gte(activity.at, sql.placeholder("floor")) : undefined,
      ),
    )
    .orderBy(desc(activity.at), desc(activity.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** When the last of the calls was made that one page looks through. */
const selectFloor = prepared((orm, reach: Reach) =>
  orm
    .select({ at: activity.at })
    .from(activity)
    .where(within(reach))
    .orderBy(desc(activity.at))
    .limit(1)
    .offset(SEARCHED_AT_ONCE - 1)
    .prepare(),
);

/**
 * One page of the account's calls, newest first. However rare those are that are asked for, a page looks through so
 * many calls and no more: it may hold few rows, or none, and still have a next one.
 */
export const listCalls = async (
  store: Store,
  accountId: number,
  { keyId, outcome, way }: CallFilter,
  page: { readonly after: CallPosition | null; readonly limit: number },
): Promise<CallPage> => {
  const reach = { key: keyId !== null, after: page.after !== null };
  const place = { at: page.after?.at ?? 0, id: page.after?.id ?? 0 };
  const values = { accountId, keyId: keyId ?? "", ...place };
  const rare = outcome !== null || way !== null;
  const floor = rare ? selectFloor(store.reader, reach).get(values)?.at : undefined;
  const shape = { ...reach, outcome, way, bounded: floor !== undefined };
  // One more than asked for, to know whether there is more.
  const limit = page.limit + 1;
  const found = selectCalls(store.reader, shape).all({ ...values, floor: floor ?? 0, limit });
  const rows = found.slice(0, page.limit).map(({ minute: _minute, ...row }) => row);
  const last = found.length > page.limit ? rows.at(-1) : undefined;
  if (last) return { rows, next: { at: last.at, id: last.id }, searchedTo: null };
  // No row has the id 0: what comes next is older than the whole millisecond.
  return floor === undefined
    ? { rows, next: null, searchedTo: null }
    : { rows, next: { at: floor, id: 0 }, searchedTo: floor };
};

/** How often a key called on a day of UTC, counted from 1970-01-01. */
export type DayCount = { readonly day: number; readonly keyId: string; readonly calls: number };

const selectDay = prepared((orm) =>
  orm
    .select({ keyId: activity.keyId, calls: sql<number>`sum(${activity.count})` })
    .from(activity)
    .where(
      and(
        eq(activity.accountId, sql.placeholder("accountId")),
        gte(activity.at, sql.placeholder("from")),
        lt(activity.at, sql.placeholder("to")),
      ),
    )
    .groupBy(activity.keyId)
    .prepare(),
);

/** The calls of the account's keys on each of these days. Day by day, so that others get their turn. */
export const countCalls = async (
  store: Store,
  accountId: number,
  days: readonly number[],
): Promise<readonly DayCount[]> => {
  const counts: DayCount[] = [];
  for (const day of days) {
    const times = { from: day * DAY, to: (day + 1) * DAY };
    for (const row of selectDay(store.reader).all({ accountId, ...times }))
      counts.push({ day, ...row });
    await setImmediate();
  }
  return counts;
};
