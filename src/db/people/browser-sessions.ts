import { and, desc, eq, isNull, notInArray, sql } from "drizzle-orm";
import type { Account } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { digestSecret, mintSecret, type Random, secretKind } from "../../domain/base/secret.ts";
import {
  type BrowserSession,
  isBrowserSessionLive,
  type SignInMethod,
} from "../../domain/people/session.ts";
import { accountOf, recordUse, selectAccount } from "./credentials.ts";
import { newId } from "../records/write.ts";
import type { Store } from "../store.ts";
import { type Orm, prepared } from "../query.ts";
import type { Tx } from "../writer.ts";
import { authenticator, browserSession, knownBrowser } from "../schema/sign-in.ts";

type BrowserSessionRow = typeof browserSession.$inferSelect;

const browserSessionOf = ({ digest: _digest, ...shown }: BrowserSessionRow): BrowserSession =>
  shown;

/** How a browser signed in: the proof, the browser's name for itself, and its network address. */
export type BrowserSignIn = {
  readonly method: SignInMethod;
  readonly client: string | null;
  readonly address: string;
  /**
   * When the person proved who they are, if that was not now: an OpenID provider may have let them
   * through without asking.
   */
  readonly provenAt?: Instant;
};

/**
 * Signs a browser in and returns the value of its cookie. This is the only time it is returned:
 * Docket stores only its digest.
 */
export const createBrowserSession = (
  store: Store,
  accountId: number,
  signIn: BrowserSignIn,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write((tx) => insertBrowserSession(tx, accountId, signIn, random, now));

/**
 * Signs a browser in with a password that matched `passwordHash`. Returns null if the account no
 * longer has that hash: checking a password takes a while, and setting a new one must shut out
 * everyone who has the old one. Also null if the account needs a code beside its password and
 * `withCode` is false.
 */
export const createBrowserSessionByPassword = (
  store: Store,
  { accountId, passwordHash }: VerifiedPassword,
  withCode: boolean,
  signIn: BrowserSignIn,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write(async (tx) => {
    const row = await selectAccount(tx.orm).get({ id: accountId });
    const isCurrent = row?.passwordHash === passwordHash && row.disabledAt === null;
    return isCurrent && (withCode || !(await hasAuthenticator(tx.orm, accountId)))
      ? await insertBrowserSession(tx, accountId, signIn, random, now)
      : null;
  });

export type VerifiedPassword = { readonly accountId: number; readonly passwordHash: string };

/** Like `createBrowserSession`, as part of a larger transaction. */
export const insertBrowserSession = async (
  tx: Tx,
  accountId: number,
  signIn: BrowserSignIn,
  random: Random,
  now: Instant,
): Promise<string> => {
  const { provenAt = now, ...how } = signIn;
  const secret = mintSecret("page", random);
  const times = { createdAt: now, lastUsedAt: now, authenticatedAt: provenAt };
  const digest = digestSecret(secret);
  await tx.orm
    .insert(browserSession)
    .values({ id: newId(now), accountId, digest, ...how, ...times })
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

/** A browser session and the account that it belongs to. */
export type SignedIn = {
  readonly browserSession: BrowserSession;
  readonly account: Account;
  /** Whether the account's password counts only together with a code. */
  readonly needsCode: boolean;
};

/**
 * Returns the browser session that a cookie belongs to. Null if it is unknown, ended or expired, or
 * if the account is disabled.
 */
export const findBrowserSession = async (
  store: Store,
  secret: string,
  now: Instant,
): Promise<SignedIn | null> => {
  if (secretKind(secret) !== "page") return null;
  const digest = digestSecret(secret);
  const row = await selectBrowserSession(store.reader).get({ digest });
  if (!row || !crypto.timingSafeEqual(row.digest, digest)) return null;
  const found = browserSessionOf(row);
  const owner = isBrowserSessionLive(found, now)
    ? await selectAccount(store.reader).get({ id: found.accountId })
    : undefined;
  if (!owner || owner.disabledAt !== null) return null;
  recordUse(store, browserSession, found, now);
  const needsCode = await hasAuthenticator(store.reader, owner.id);
  return { browserSession: found, account: accountOf(owner), needsCode };
};

/**
 * Call this when the person in front of the browser has proved again who they are. Returns the
 * session's new cookie, so that anyone who copied the old one is shut out (OWASP ASVS 5.0, 7.2.4).
 * Null if the session has ended meanwhile.
 */
export const renewBrowserSession = (
  store: Store,
  accountId: number,
  id: string,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write((tx) => renewBrowserSessionIn(tx, accountId, id, random, now));

/** Like `renewBrowserSession`, as part of a larger transaction. */
export const renewBrowserSessionIn = async (
  tx: Tx,
  accountId: number,
  id: string,
  random: Random,
  now: Instant,
): Promise<string | null> => {
  const secret = mintSecret("page", random);
  const renewed = await tx.orm
    .update(browserSession)
    .set({ authenticatedAt: now, digest: digestSecret(secret) })
    .where(and(own(accountId, id), isNull(browserSession.endedAt)))
    .returning()
    .all();
  return renewed.length > 0 ? secret : null;
};

const own = (accountId: number, id: string) =>
  and(eq(browserSession.accountId, accountId), eq(browserSession.id, id));

/** Returns the account's live browser sessions, most recently used first. */
export const listBrowserSessions = async (
  store: Store,
  accountId: number,
  now: Instant,
): Promise<readonly BrowserSession[]> =>
  (
    await store.reader
      .select()
      .from(browserSession)
      .where(and(eq(browserSession.accountId, accountId), isNull(browserSession.endedAt)))
      .orderBy(desc(browserSession.lastUsedAt), desc(browserSession.id))
      .all()
  )
    .map(browserSessionOf)
    .filter((found) => isBrowserSessionLive(found, now));

/** Whether the account has an authenticator app, so that its password alone signs nobody in. */
export const hasAuthenticator = async (orm: Orm, accountId: number): Promise<boolean> =>
  (await readAuthenticator(orm, accountId)) !== undefined;

/** The account's authenticator app, if it has one. */
export const readAuthenticator = (orm: Orm, accountId: number) =>
  orm.select().from(authenticator).where(eq(authenticator.accountId, accountId)).get();

/** How many browsers Docket remembers per account: those seen most recently. */
const MOST = 20;

/**
 * Remembers a browser in which someone signed in. Returns the cookie that identifies it: the one it
 * sent if that belongs to this account, otherwise a new one.
 */
export const rememberBrowser = (
  store: Store,
  accountId: number,
  before: string | null,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write(async (tx) => {
    const kept = before !== null && (await isKnown(tx.orm, accountId, before)) ? before : null;
    const secret = kept ?? mintSecret("page", random);
    const row = { digest: digestSecret(secret), accountId, seenAt: now };
    await tx.orm
      .insert(knownBrowser)
      .values(row)
      .onConflictDoUpdate({ target: knownBrowser.digest, set: row })
      .run();
    const newest = tx.orm
      .select({ digest: knownBrowser.digest })
      .from(knownBrowser)
      .where(eq(knownBrowser.accountId, accountId))
      .orderBy(desc(knownBrowser.seenAt))
      .limit(MOST);
    await tx.orm
      .delete(knownBrowser)
      .where(and(eq(knownBrowser.accountId, accountId), notInArray(knownBrowser.digest, newest)))
      .run();
    return secret;
  });

/** Whether someone has signed in to the account from this browser before. */
export const isKnownBrowser = async (
  store: Store,
  accountId: number,
  secret: string,
): Promise<boolean> => isKnown(store.reader, accountId, secret);

const isKnown = async (orm: Store["reader"], accountId: number, secret: string): Promise<boolean> =>
  secretKind(secret) === "page" &&
  (
    await orm
      .select({ accountId: knownBrowser.accountId })
      .from(knownBrowser)
      .where(eq(knownBrowser.digest, digestSecret(secret)))
      .get()
  )?.accountId === accountId;
