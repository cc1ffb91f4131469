import { and, eq, gt, isNull, lt, ne, or, type SQL } from "drizzle-orm";
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
 * Signs a person out everywhere: ends all sessions and all browser sessions except `keepBrowserSessionId`, and forgets
 * unused codes, known browsers and the redirect addresses of extensions. API keys stay: they are revoked one by one.
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

/** Drops the account's passkeys and OpenID links, so that anyone who added one cannot sign in with it. */
export const forgetProofs = (tx: Tx, accountId: number): void => {
  tx.orm.delete(passkey).where(eq(passkey.accountId, accountId)).run();
  tx.orm.delete(identity).where(eq(identity.accountId, accountId)).run();
};

/** Signs out all browsers except one, and deletes the codes that they may have made. */
export const endOtherBrowserSessions = (
  store: Store,
  accountId: number,
  keepBrowserSessionId: string,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => {
    endBrowserSessions(tx, accountId, keepBrowserSessionId, now);
    deleteSignInCodes(tx, accountId);
  });

/** A browser signs itself out: its cookie is refused from the next call on. Ending twice keeps the first time. */
export const endBrowserSession = (
  store: Store,
  accountId: number,
  id: string,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => endWhere(tx, accountId, eq(browserSession.id, id), now));

/** Signs one browser of the account out, and deletes the codes that it may have made. */
export const endOneBrowserSession = (
  store: Store,
  accountId: number,
  browserSessionId: string,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => {
    endWhere(tx, accountId, eq(browserSession.id, browserSessionId), now);
    deleteSignInCodes(tx, accountId);
  });

/** Someone who was signed out must not get back in through a code that they made before. */
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

const endWhere = (tx: Tx, accountId: number, which: SQL | undefined, now: Instant): void => {
  tx.orm
    .update(browserSession)
    .set({ endedAt: now })
    .where(and(eq(browserSession.accountId, accountId), isNull(browserSession.endedAt), which))
    .run();
};

/** Revokes every active API key of the account. */
export const revokeKeys = (tx: Tx, accountId: number, now: Instant): void => {
  const live = and(
    eq(apiKey.accountId, accountId),
    isNull(apiKey.revokedAt),
    or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
  );
  tx.orm.update(apiKey).set({ revokedAt: now }).where(live).run();
};

/** How long a browser session is kept after it was made: twice as long as any lasts. */
const KEPT = 180 * DAY;

/**
 * Drops browser sessions that are long over: by the clock, and by the days on which the server was used. Without the
 * latter, a clock that is ahead would also take away that a session was ended, and a restored backup brought it back.
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
