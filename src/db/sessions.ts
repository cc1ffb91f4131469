import { eq, sql } from "drizzle-orm";
import type { Instant } from "../instant.ts";
import { notFound } from "../refusal.ts";
import { digestSecret, mintSecret, type Random } from "../secret.ts";
import type { Session } from "../session.ts";
import { newId } from "./ids.ts";
import type { Store } from "./open.ts";
import { session } from "./schema.ts";

type SessionRow = typeof session.$inferSelect;

export const sessionOf = ({ digest: _digest, ...shown }: SessionRow): Session => shown;

/** Signs a device in. Its token is returned here and never again: only its digest is kept. */
export const createSession = (
  store: Store,
  accountId: number,
  name: string,
  random: Random,
  now: Instant,
): Promise<{ readonly session: Session; readonly secret: string }> =>
  store.writer.write((tx) => {
    const secret = mintSecret("sess", random);
    const digest = digestSecret(secret);
    const row = { id: newId(now), accountId, name, digest, createdAt: now, lastUsedAt: now };
    return { session: sessionOf(tx.orm.insert(session).values(row).returning().get()), secret };
  });

/** All sessions, ended ones too, of one account or (null) of all. */
export const listSessions = async (
  store: Store,
  accountId: number | null,
): Promise<readonly Session[]> =>
  store.reader
    .select()
    .from(session)
    .where(accountId === null ? undefined : eq(session.accountId, accountId))
    .orderBy(session.createdAt, session.id)
    .all()
    .map(sessionOf);

/** The token is refused from the next call on. Revoking twice keeps the first time. */
export const revokeSession = (store: Store, id: string, now: Instant): Promise<Session> =>
  store.writer.write((tx) => {
    const revoked = tx.orm
      .update(session)
      .set({ revokedAt: sql`coalesce(${session.revokedAt}, ${now})` })
      .where(eq(session.id, id))
      .returning()
      .get();
    if (!revoked) throw notFound("session");
    return sessionOf(revoked);
  });
