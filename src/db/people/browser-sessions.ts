import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Account } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { digestSecret, mintSecret, type Random, secretKind } from "../../domain/base/secret.ts";
import {
  isBrowserSessionLive,
  type SignInMethod,
  type BrowserSession,
} from "../../domain/people/browser-session.ts";
import { accountOf } from "./accounts.ts";
import { selectAccount } from "./credentials.ts";
import { newId } from "../records/ids.ts";
import { touch } from "./last-use.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import { browserSession } from "../schema/sign-in.ts";
import type { Tx } from "../sqlite/transaction.ts";

type BrowserSessionRow = typeof browserSession.$inferSelect;

const browserSessionOf = ({ digest: _digest, ...shown }: BrowserSessionRow): BrowserSession =>
  shown;

/** How a browser came in: by which proof, what it calls itself, from which address. */
export type Arrival = {
  readonly method: SignInMethod;
  readonly client: string | null;
  readonly address: string;
  /** When they proved who they are, if not right now: an OpenID provider may have let them pass unasked. */
  readonly provenAt?: Instant;
};

/** Signs a browser in. The cookie's value is returned here and never again: only its digest is kept. */
export const createBrowserSession = (
  store: Store,
  accountId: number,
  arrival: Arrival,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write((tx) => insertBrowserSession(tx, accountId, arrival, random, now));

/**
 * `createVisit` by a password that was found to fit `passwordHash`. Null if that is not the account's any
 * more: the comparison took a while, and whoever sets a new password keeps all out who have the old one.
 */
export const createBrowserSessionByPassword = (
  store: Store,
  { accountId, passwordHash }: FittingPassword,
  arrival: Arrival,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write((tx) => {
    const row = selectAccount(tx.orm).get({ id: accountId });
    const stands = row?.passwordHash === passwordHash && row.disabledAt === null;
    return stands ? insertBrowserSession(tx, accountId, arrival, random, now) : null;
  });

export type FittingPassword = { readonly accountId: number; readonly passwordHash: string };

/** `createVisit`, in a transaction that does more. */
export const insertBrowserSession = (
  tx: Tx,
  accountId: number,
  arrival: Arrival,
  random: Random,
  now: Instant,
): string => {
  const { provenAt = now, ...came } = arrival;
  const secret = mintSecret("page", random);
  const times = { createdAt: now, lastUsedAt: now, authenticatedAt: provenAt };
  const digest = digestSecret(secret);
  tx.orm
    .insert(browserSession)
    .values({ id: newId(now), accountId, digest, ...came, ...times })
    .run();
  return secret;
};

const selectBrowserSession = prepared((orm) =>
  orm
    .select()
    .from(browserSession)
    .where(eq(browserSession.digest, sql.placeholder("digest")))
    .prepare(),
);

/** A browser session and whose it is. */
export type SignedIn = { readonly browserSession: BrowserSession; readonly account: Account };

/** Who a cookie stands for, null if for nobody: unknown, ended, expired, or of a disabled account. */
export const findBrowserSession = async (
  store: Store,
  secret: string,
  now: Instant,
): Promise<SignedIn | null> => {
  if (secretKind(secret) !== "page") return null;
  const digest = digestSecret(secret);
  const row = selectBrowserSession(store.reader).get({ digest });
  if (!row || !crypto.timingSafeEqual(row.digest, digest)) return null;
  const found = browserSessionOf(row);
  const owner = isBrowserSessionLive(found, now)
    ? selectAccount(store.reader).get({ id: found.accountId })
    : undefined;
  if (!owner || owner.disabledAt !== null) return null;
  touch(store, browserSession, found, now);
  return { browserSession: found, account: accountOf(owner) };
};

/**
 * Whoever sits there has proved again who they are. Returns the cookie that the browser session has from now on,
 * null if it has ended meanwhile: whoever copied the one before is out (OWASP ASVS 5.0, 7.2.4).
 */
export const renewBrowserSession = (
  store: Store,
  accountId: number,
  id: string,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write((tx) => renewBrowserSessionIn(tx, accountId, id, random, now));

/** `renewVisit`, in a transaction that does more. */
export const renewBrowserSessionIn = (
  tx: Tx,
  accountId: number,
  id: string,
  random: Random,
  now: Instant,
): string | null => {
  const secret = mintSecret("page", random);
  const renewed = tx.orm
    .update(browserSession)
    .set({ authenticatedAt: now, digest: digestSecret(secret) })
    .where(and(own(accountId, id), isNull(browserSession.endedAt)))
    .returning()
    .all();
  return renewed.length > 0 ? secret : null;
};

const own = (accountId: number, id: string) =>
  and(eq(browserSession.accountId, accountId), eq(browserSession.id, id));

/** The account's browser sessions that have not ended, the one used last first. */
export const listBrowserSessions = async (
  store: Store,
  accountId: number,
  now: Instant,
): Promise<readonly BrowserSession[]> =>
  store.reader
    .select()
    .from(browserSession)
    .where(and(eq(browserSession.accountId, accountId), isNull(browserSession.endedAt)))
    .orderBy(desc(browserSession.lastUsedAt), desc(browserSession.id))
    .all()
    .map(browserSessionOf)
    .filter((found) => isBrowserSessionLive(found, now));
