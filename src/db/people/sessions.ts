import { and, desc, eq, isNull, lte, sql, type SQL } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { digestSecret, mintSecret, type Random } from "../../domain/base/secret.ts";
import { ABSOLUTE, type BrowserSession, IDLE, type Session } from "../../domain/people/session.ts";
import { newId } from "../records/write.ts";
import type { Store } from "../store.ts";
import { session } from "../schema/credentials.ts";
import { browserSession } from "../schema/sign-in.ts";
import type { Tx } from "../writer.ts";

type SessionRow = typeof session.$inferSelect;

export const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  accountId: row.accountId,
  name: row.name,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  revokedAt: row.revokedAt,
  lastSyncAt: row.lastSyncAt,
  pulled: row.pulled,
  applied: row.applied,
  rejected: row.rejected,
});

/**
 * A device that was just signed in. This is the only time its token is returned: Docket stores only
 * its digest.
 */
export type NewSession = { readonly session: Session; readonly secret: string };

/** Signs a device in. */
export const createSession = (
  store: Store,
  accountId: number,
  name: string,
  random: Random,
  now: Instant,
): Promise<NewSession> =>
  store.writer.write((tx) => insertSession(tx, accountId, name, random, now));

/** Like `createSession`, as part of a larger transaction. */
export const insertSession = async (
  tx: Tx,
  accountId: number,
  name: string,
  random: Random,
  now: Instant,
): Promise<NewSession> => {
  const secret = mintSecret("sess", random);
  const digest = digestSecret(secret);
  const row = { id: newId(now), accountId, name, digest, createdAt: now, lastUsedAt: now };
  return { session: sessionOf(await tx.orm.insert(session).values(row).returning().get()), secret };
};

/**
 * Signs the web app in, as the device that `browserSession` is: it has that browser session's id, and
 * both end together. All windows of the browser share the token, which the caller derived from the
 * cookie. A new cookie gives a new token, and the old one is refused. Returns false if the browser
 * session has ended meanwhile.
 */
export const openAppSession = (
  store: Store,
  { id, accountId }: Pick<BrowserSession, "accountId" | "id">,
  name: string,
  secret: string,
  now: Instant,
): Promise<boolean> =>
  store.writer.write(async (tx) => {
    const live = and(eq(browserSession.id, id), isNull(browserSession.endedAt));
    if (!(await tx.orm.select().from(browserSession).where(live).get())) return false;
    const digest = digestSecret(secret);
    await tx.orm
      .insert(session)
      .values({ id, accountId, name, digest, createdAt: now, lastUsedAt: now })
      .onConflictDoUpdate({ target: session.id, set: { digest, revokedAt: null } })
      .run();
    return true;
  });

/**
 * Returns all sessions of one account, or of every account if `accountId` is null, oldest first.
 * Ended sessions are included.
 */
export const listSessions = async (
  store: Store,
  accountId: number | null,
): Promise<readonly Session[]> =>
  (
    await store.reader
      .select()
      .from(session)
      .where(accountId === null ? undefined : eq(session.accountId, accountId))
      .orderBy(session.createdAt, session.id)
      .all()
  ).map(sessionOf);

/**
 * Revokes a session: its token is refused from the next call on. Revoking it again keeps the first
 * time. Refused as `not_found` if it belongs to an account other than `accountId`; null allows any
 * account.
 */
export const revokeSession = (
  store: Store,
  accountId: number | null,
  id: string,
  now: Instant,
): Promise<Session> =>
  store.writer.write(async (tx) => {
    const revoked = await tx.orm
      .update(session)
      .set({ revokedAt: sql`coalesce(${session.revokedAt}, ${now})` })
      .where(
        and(eq(session.id, id), accountId === null ? undefined : eq(session.accountId, accountId)),
      )
      .returning()
      .get();
    if (!revoked) throw notFound("session");
    // The web app's session: see `openAppSession`.
    await tx.orm
      .update(browserSession)
      .set({ endedAt: now })
      .where(and(eq(browserSession.id, id), isNull(browserSession.endedAt)))
      .run();
    return sessionOf(revoked);
  });

/** Revokes the session that a token belongs to. Does nothing if there is none. */
export const revokeToken = (store: Store, token: string, now: Instant): Promise<void> =>
  store.writer.write((tx) => endWhere(tx, eq(session.digest, digestSecret(token)), now));

/** Revokes a session as part of a larger transaction. */
export const endSession = (tx: Tx, id: string, now: Instant): Promise<void> =>
  endWhere(tx, eq(session.id, id), now);

const endWhere = async (tx: Tx, which: ReturnType<typeof eq>, now: Instant): Promise<void> => {
  await tx.orm
    .update(session)
    .set({ revokedAt: now })
    .where(and(which, isNull(session.revokedAt)))
    .run();
};

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
  (await reader
    .select({
      live: sql<number>`count(*)`,
      lastSyncAt: sql<Instant | null>`max(${session.lastSyncAt})`,
    })
    .from(session)
    .where(and(eq(session.accountId, accountId), SHAPES.live.which(now)))
    .get()) ?? { live: 0, lastSyncAt: null };

/** Returns one page of an account's devices: the most recently used, or the last to end, first. */
/** How many records syncs sent to devices, accepted from them, and rejected, of all sessions that are still listed. */
export const sumSyncs = async (store: Store) => {
  const sums = await store.reader
    .select({
      pulled: sql<number>`coalesce(sum(${session.pulled}), 0)`,
      applied: sql<number>`coalesce(sum(${session.applied}), 0)`,
      rejected: sql<number>`coalesce(sum(${session.rejected}), 0)`,
    })
    .from(session)
    .get();
  return {
    pulled: Number(sums?.pulled ?? 0),
    applied: Number(sums?.applied ?? 0),
    rejected: Number(sums?.rejected ?? 0),
  };
};

export const listSessionPage = async (
  store: Store,
  accountId: number,
  kind: SessionKind,
  { after, limit }: { readonly after: SessionPosition | null; readonly limit: number },
  now: Instant,
): Promise<SessionPage> => {
  const { at, which } = SHAPES[kind];
  const rows = await store.reader
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
