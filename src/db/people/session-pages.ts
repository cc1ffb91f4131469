import { and, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { ABSOLUTE, IDLE, type Session } from "../../domain/people/session.ts";
import { session } from "../schema/credentials.ts";
import type { Store } from "../store.ts";
import { sessionOf } from "./sessions.ts";

/** Which devices a list shows: those that are signed in, or those that no longer are. */
export type SessionKind = "ended" | "live";

/** A position in such a list: when the device was last used, or when it ended, and its id. */
export type SessionPosition = { readonly at: Instant; readonly id: string };

export type SessionPage = {
  readonly sessions: readonly Session[];
  /** Where the next page begins; null on the last page. */
  readonly next: SessionPosition | null;
};

/** How long a device stays in the list after it is signed out. */
const SHOWN = 90 * DAY;

/** When a session ended, or will end: `sessionEnd` in SQL. */
const END = sql<number>`min(coalesce(${session.revokedAt}, ${Number.MAX_SAFE_INTEGER}),
  ${session.lastUsedAt} + ${IDLE}, ${session.createdAt} + ${ABSOLUTE})`;

const SHAPES: Readonly<
  Record<SessionKind, { readonly at: SQL<number>; readonly which: (now: Instant) => SQL }>
> = {
  live: {
    at: sql<number>`${session.lastUsedAt}`,
    which: (now) => sql`${session.revokedAt} is null and ${END} > ${now}`,
  },
  ended: {
    at: END,
    which: (now) =>
      sql`(${session.revokedAt} is not null or ${END} <= ${now}) and ${END} > ${now - SHOWN}`,
  },
};

/** How many devices are signed in to an account, and when one of them last synced; null if none has. */
export type DeviceCount = { readonly live: number; readonly lastSyncAt: Instant | null };

export const countDevices = async (
  { reader }: Store,
  accountId: number,
  now: Instant,
): Promise<DeviceCount> =>
  reader
    .select({
      live: sql<number>`count(*)`,
      lastSyncAt: sql<Instant | null>`max(${session.lastSyncAt})`,
    })
    .from(session)
    .where(and(eq(session.accountId, accountId), SHAPES.live.which(now)))
    .get() ?? { live: 0, lastSyncAt: null };

/** Returns one page of an account's devices: the most recently used, or the last to end, first. */
export const listSessionPage = async (
  store: Store,
  accountId: number,
  kind: SessionKind,
  { after, limit }: { readonly after: SessionPosition | null; readonly limit: number },
  now: Instant,
): Promise<SessionPage> => {
  const { at, which } = SHAPES[kind];
  const rows = store.reader
    .select({ row: session, at })
    .from(session)
    .where(
      and(
        eq(session.accountId, accountId),
        which(now),
        after ? lte(at, after.at) : undefined,
        after ? sql`(${at} < ${after.at} or ${session.id} < ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(at), desc(session.id))
    // One more row than requested shows whether there is a next page.
    .limit(limit + 1)
    .all();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    sessions: shown.map(({ row }) => sessionOf(row)),
    next: last ? { at: last.at, id: last.row.id } : null,
  };
};
