import { setImmediate } from "node:timers/promises";
import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { MCP_ROUTE, type Outcome, type Way } from "../../domain/calls/activity.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import type { ActivityRow } from "./activity.ts";
import type { Store } from "../store.ts";
import { prepared } from "../query.ts";
import { activity, apiKey } from "../schema/credentials.ts";

/** Which calls a list shows. A null field does not filter. */
export type CallFilter = {
  readonly keyId: string | null;
  readonly outcome: Outcome | null;
  readonly way: Way | null;
};

/** A position in the list, which is ordered newest first, then by id within one millisecond. */
export type CallPosition = { readonly at: Instant; readonly id: number };

export type CallRow = Omit<ActivityRow, "keyName">;

export type CallPage = {
  readonly rows: readonly CallRow[];
  /** Where the next page begins; null on the last page. */
  readonly next: CallPosition | null;
  /**
   * How far back the search for rare calls got before it stopped; null if it reached the end or
   * filled the page.
   */
  readonly searchedTo: Instant | null;
};

/** How many calls one page searches through when it looks for a rare kind. */
export const SEARCHED_AT_ONCE = 20_000;

type Reach = { readonly key: boolean; readonly after: boolean };
type Shape = Reach & Omit<CallFilter, "keyId"> & { readonly bounded: boolean };

const AFTER = sql`(${activity.at}, ${activity.id}) < (${sql.placeholder("at")}, ${sql.placeholder("id")})`;

// The key's id, or nothing if the key belongs to another account. This way the index on keys is
// enough.
const OWN_KEY = sql`(select ${apiKey.id} from ${apiKey}
  where ${apiKey.id} = ${sql.placeholder("keyId")}
  and ${apiKey.accountId} = ${sql.placeholder("accountId")})`;

/** Limits a query to one key's calls, or to all of the account's. Each has its own index. */
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

/** The time of the oldest call that one page may search. */
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
 * Returns one page of the account's calls, newest first. A page searches at most `SEARCHED_AT_ONCE`
 * calls, however rare the kind: it may hold few rows, or none, and still have a next page.
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
  const floor = rare ? (await selectFloor(store.reader, reach).get(values))?.at : undefined;
  const shape = { ...reach, outcome, way, bounded: floor !== undefined };
  // One more row than requested shows whether there is a next page.
  const limit = page.limit + 1;
  const found = await selectCalls(store.reader, shape).all({ ...values, floor: floor ?? 0, limit });
  const rows = found.slice(0, page.limit).map(({ minute: _minute, ...row }) => row);
  const last = found.length > page.limit ? rows.at(-1) : undefined;
  if (last) return { rows, next: { at: last.at, id: last.id }, searchedTo: null };
  // No row has id 0, so the next page begins before this millisecond.
  return floor === undefined
    ? { rows, next: null, searchedTo: null }
    : { rows, next: { at: floor, id: 0 }, searchedTo: floor };
};

/** How many calls a key made on one UTC day. `day` counts days since 1970-01-01. */
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

/**
 * Counts the calls of the account's keys on each of `days` (days since 1970-01-01, UTC). It yields
 * to other requests after each day.
 */
export const countCalls = async (
  store: Store,
  accountId: number,
  days: readonly number[],
): Promise<readonly DayCount[]> => {
  const counts: DayCount[] = [];
  for (const day of days) {
    const times = { from: day * DAY, to: (day + 1) * DAY };
    for (const row of await selectDay(store.reader).all({ accountId, ...times }))
      counts.push({ day, ...row });
    await setImmediate();
  }
  return counts;
};
