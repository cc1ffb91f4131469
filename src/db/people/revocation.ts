import { and, eq, gt, inArray, isNull, lt, ne, or, type SQL } from "drizzle-orm";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { deleteCodes } from "./codes.ts";
import type { Store } from "../store.ts";
import { writtenDays, startOfNewest } from "../sqlite/days.ts";
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
import type { Tx } from "../sqlite/transaction.ts";

/**
 * Ends every way in which a person is signed in: browser sessions except `keepBrowserSessionId`,
 * device sessions, unused codes, known browsers and remembered redirects. API keys are not a
 * sign-in; they are revoked separately.
 */
export const endCredentials = (
  tx: Tx,
  accountId: number,
  keepBrowserSessionId: string | null,
  now: Instant,
): void => {
  endBrowserSessions(tx, accountId, keepBrowserSessionId, now);
  tx.orm
    .update(session)
    .set({ revokedAt: now })
    .where(and(eq(session.accountId, accountId), isNull(session.revokedAt)))
    .run();
  tx.orm
    .delete(code)
    .where(and(eq(code.accountId, accountId), isNull(code.usedAt)))
    .run();
  tx.orm.delete(knownBrowser).where(eq(knownBrowser.accountId, accountId)).run();
  tx.orm.delete(redirect).where(eq(redirect.accountId, accountId)).run();
};

/**
 * Deletes the account's passkeys and OpenID links, so that nobody who added one can sign in again.
 */
export const forgetProofs = (tx: Tx, accountId: number): void => {
  tx.orm.delete(passkey).where(eq(passkey.accountId, accountId)).run();
  tx.orm.delete(identity).where(eq(identity.accountId, accountId)).run();
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
export const endBrowserSessionsIn = (
  tx: Tx,
  accountId: number,
  keepBrowserSessionId: string | null,
  now: Instant,
): void => {
  endBrowserSessions(tx, accountId, keepBrowserSessionId, now);
  deleteSignInCodes(tx, accountId);
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
  store.writer.write((tx) => {
    endWhere(tx, accountId, eq(browserSession.id, browserSessionId), now);
    deleteSignInCodes(tx, accountId);
  });

/**
 * Someone who was signed out must not get back in with a device code that they have not used yet.
 */
const deleteSignInCodes = (tx: Tx, accountId: number): void => {
  deleteCodes(tx, "pairing", accountId);
  deleteCodes(tx, "oauth", accountId);
};

const endBrowserSessions = (
  tx: Tx,
  accountId: number,
  keepBrowserSessionId: string | null,
  now: Instant,
): void =>
  endWhere(
    tx,
    accountId,
    keepBrowserSessionId === null ? undefined : ne(browserSession.id, keepBrowserSessionId),
    now,
  );

/** Ends browser sessions, and with each the session of its web app, which has the same id. */
const endWhere = (tx: Tx, accountId: number, which: SQL | undefined, now: Instant): void => {
  const ended = tx.orm
    .update(browserSession)
    .set({ endedAt: now })
    .where(and(eq(browserSession.accountId, accountId), isNull(browserSession.endedAt), which))
    .returning({ id: browserSession.id })
    .all();
  const ids = ended.map(({ id }) => id);
  tx.orm
    .update(session)
    .set({ revokedAt: now })
    .where(and(inArray(session.id, ids), isNull(session.revokedAt)))
    .run();
};

/** Revokes every live API key of the account. */
export const revokeKeys = (tx: Tx, accountId: number, now: Instant): void => {
  const live = and(
    eq(apiKey.accountId, accountId),
    isNull(apiKey.revokedAt),
    or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
  );
  tx.orm.update(apiKey).set({ revokedAt: now }).where(live).run();
};

/** How long a browser session is kept after it was created: twice as long as one can last. */
const KEPT = 180 * DAY;

/**
 * Deletes browser sessions that ended long ago, both by the clock and by the days on which the server was used. If only
 * the clock counted, a clock that is ahead would also delete the record that a session was ended, and restoring a backup
 * would bring that session back.
 */
export const pruneBrowserSessions = async (store: Store, now: Instant): Promise<void> => {
  const used = [version, activity].flatMap((table) => writtenDays(store.reader, table, now));
  const days = new Map(used.map((day) => [day.start, day]));
  const firstKept = startOfNewest([...days.values()].toSorted((a, b) => b.start - a.start));
  if (firstKept === null) return;
  const before = Math.min(now - KEPT, firstKept);
  await store.writer.write((tx) => {
    tx.orm.delete(browserSession).where(lt(browserSession.createdAt, before)).run();
  });
};
