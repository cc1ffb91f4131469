import { and, eq, gt, inArray, isNull, lt, ne, or, type SQL } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { deleteCodes } from "./codes.ts";
import type { Store } from "../store.ts";
import { writtenDays, startOfNewest } from "../days.ts";
import { activity, apiKey, session } from "../schema/credentials.ts";
import { version } from "../schema/history.ts";
import {
  code,
  identity,
  knownBrowser,
  passkey,
  redirect,
  browserSession,
} from "../schema/sign-in.ts";
import type { Tx } from "../writer.ts";

/**
 * Ends every way in which a person is signed in: browser sessions except `keepBrowserSessionId`,
 * device sessions, unused codes, known browsers and remembered redirects. API keys are not a
 * sign-in; they are revoked separately.
 */
export const endCredentials = async (
  tx: Tx,
  accountId: number,
  keepBrowserSessionId: string | null,
  now: Instant,
): Promise<void> => {
  await endBrowserSessions(tx, accountId, keepBrowserSessionId, now);
  await tx.orm
    .update(session)
    .set({ revokedAt: now })
    .where(and(eq(session.accountId, accountId), isNull(session.revokedAt)))
    .run();
  await tx.orm
    .delete(code)
    .where(and(eq(code.accountId, accountId), isNull(code.usedAt)))
    .run();
  await tx.orm.delete(knownBrowser).where(eq(knownBrowser.accountId, accountId)).run();
  await tx.orm.delete(redirect).where(eq(redirect.accountId, accountId)).run();
};

/**
 * Deletes the account's passkeys and OpenID links, so that nobody who added one can sign in again.
 */
export const forgetProofs = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.orm.delete(passkey).where(eq(passkey.accountId, accountId)).run();
  await tx.orm.delete(identity).where(eq(identity.accountId, accountId)).run();
};

/** Signs out every browser but one, and voids the sign-in codes that they may have created. */
export const endOtherBrowserSessions = (
  store: Store,
  accountId: number,
  keepBrowserSessionId: string,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => endBrowserSessionsIn(tx, accountId, keepBrowserSessionId, now));

/** The same as part of a larger transaction. With null, every browser is signed out. */
export const endBrowserSessionsIn = async (
  tx: Tx,
  accountId: number,
  keepBrowserSessionId: string | null,
  now: Instant,
): Promise<void> => {
  await endBrowserSessions(tx, accountId, keepBrowserSessionId, now);
  await deleteSignInCodes(tx, accountId);
};

/**
 * Signs out one browser of the account, and voids the sign-in codes that it may have created: its cookie and they are
 * refused from the next call on. Doing it again keeps the first time.
 */
export const endBrowserSession = (
  store: Store,
  accountId: number,
  browserSessionId: string,
  now: Instant,
): Promise<void> =>
  store.writer.write(async (tx) => {
    await endWhere(tx, accountId, eq(browserSession.id, browserSessionId), now);
    await deleteSignInCodes(tx, accountId);
  });

/**
 * Someone who was signed out must not get back in with a device code that they have not used yet.
 */
const deleteSignInCodes = async (tx: Tx, accountId: number): Promise<void> => {
  await deleteCodes(tx, "pairing", accountId);
  await deleteCodes(tx, "oauth", accountId);
};

const endBrowserSessions = (
  tx: Tx,
  accountId: number,
  keepBrowserSessionId: string | null,
  now: Instant,
): Promise<void> =>
  endWhere(
    tx,
    accountId,
    keepBrowserSessionId === null ? undefined : ne(browserSession.id, keepBrowserSessionId),
    now,
  );

/** Ends browser sessions, and with each the session of its web app, which has the same id. */
const endWhere = async (
  tx: Tx,
  accountId: number,
  which: SQL | undefined,
  now: Instant,
): Promise<void> => {
  const ended = await tx.orm
    .update(browserSession)
    .set({ endedAt: now })
    .where(and(eq(browserSession.accountId, accountId), isNull(browserSession.endedAt), which))
    .returning({ id: browserSession.id })
    .all();
  const ids = ended.map(({ id }) => id);
  await tx.orm
    .update(session)
    .set({ revokedAt: now })
    .where(and(inArray(session.id, ids), isNull(session.revokedAt)))
    .run();
};

/** Revokes every live API key of the account. */
export const revokeKeys = async (tx: Tx, accountId: number, now: Instant): Promise<void> => {
  const live = and(
    eq(apiKey.accountId, accountId),
    isNull(apiKey.revokedAt),
    or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
  );
  await tx.orm.update(apiKey).set({ revokedAt: now }).where(live).run();
};

/** How long a browser session is kept after it was created: twice as long as one can last. */
const KEPT = 180 * DAY;

/**
 * Deletes browser sessions that ended long ago, both by the clock and by the days on which the server was used. If only
 * the clock counted, a clock that is ahead would also delete the record that a session was ended, and restoring a backup
 * would bring that session back.
 */
export const pruneBrowserSessions = async (store: Store, now: Instant): Promise<void> => {
  const used = [
    ...(await writtenDays(store.reader, version, now)),
    ...(await writtenDays(store.reader, activity, now)),
  ];
  const days = new Map(used.map((day) => [day.start, day]));
  const firstKept = startOfNewest([...days.values()].toSorted((a, b) => b.start - a.start));
  if (firstKept === null) return;
  const before = Math.min(now - KEPT, firstKept);
  await store.writer.write(async (tx) => {
    await tx.orm.delete(browserSession).where(lt(browserSession.createdAt, before)).run();
  });
};
