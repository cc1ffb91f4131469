import { DAY, type Instant, MINUTE } from "../base/instant.ts";
import { cutText } from "../base/text.ts";

/** A device that is signed in with a `docket_sess_` token. */
export type Session = {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly revokedAt: Instant | null;
  readonly lastSyncAt: Instant | null;
  /** How many records syncs sent to the device, accepted from it, and rejected. */
  readonly pulled: number | null;
  readonly applied: number | null;
  readonly rejected: number | null;
};

export const IDLE: number = 30 * DAY;
export const ABSOLUTE: number = 180 * DAY;

/** A session ends after 30 days without use, and after 180 days in any case. */
export const sessionExpiry = (session: Session): Instant =>
  Math.min(session.lastUsedAt + IDLE, session.createdAt + ABSOLUTE);

export const isSessionLive = (session: Session, now: Instant): boolean =>
  session.revokedAt === null && sessionExpiry(session) > now;

/** A session's state. */
export type SessionState = "expired" | "live" | "revoked";

export const sessionState = (session: Session, now: Instant): SessionState => {
  if (isSessionLive(session, now)) return "live";
  return session.revokedAt === null ? "expired" : "revoked";
};

/** When a session ended, or will end if it is not used again. */
export const sessionEnd = (session: Session): Instant =>
  Math.min(session.revokedAt ?? Number.POSITIVE_INFINITY, sessionExpiry(session));

/** How someone proved who they are. `setup` means a set-up or invitation code. */
export type SignInMethod = "openid" | "passkey" | "password" | "setup";

/** A browser that is signed in to the account area with a cookie. */
export type BrowserSession = {
  readonly id: string;
  readonly accountId: number;
  readonly method: SignInMethod;
  /** What the browser calls itself. */
  readonly client: string | null;
  /** The network address that it signed in from. */
  readonly address: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  /** When the person in front of the browser last proved who they are. */
  readonly authenticatedAt: Instant;
  readonly endedAt: Instant | null;
};

const BROWSER_IDLE = 14 * DAY;
const BROWSER_ABSOLUTE = 90 * DAY;
/** How recent the proof must be for changes that cannot be undone: keys, passwords, passkeys. */
const RECENT = 10 * MINUTE;

/** A browser session ends after 14 days without use, and after 90 days in any case. */
export const browserSessionExpiry = (browserSession: BrowserSession): Instant =>
  Math.min(browserSession.lastUsedAt + BROWSER_IDLE, browserSession.createdAt + BROWSER_ABSOLUTE);

export const isBrowserSessionLive = (browserSession: BrowserSession, now: Instant): boolean =>
  browserSession.endedAt === null && browserSessionExpiry(browserSession) > now;

/**
 * Whether the proof is at most 10 minutes old (OWASP ASVS 5.0, 7.5.3). A proof in the future does
 * not count.
 */
export const isRecent = (browserSession: BrowserSession, now: Instant): boolean =>
  browserSession.authenticatedAt <= now && now - browserSession.authenticatedAt <= RECENT;

/** Tried in this order: most browsers also name the browsers that they imitate. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(HeadlessChrome|Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

const SHORT = 60;

/** Returns a browser's name in everyday words ("Firefox on Linux"), from its `User-Agent`. */
export const browserName = (client: string | null): string => {
  if (client === null) return "Unknown browser";
  const known = nameIn(BROWSERS, client);
  const system = nameIn(SYSTEMS, client);
  if (known === null) return cutText(client, SHORT).toWellFormed();
  return system === null ? known : `${known} on ${system}`;
};

const nameIn = (names: readonly (readonly [string, RegExp])[], client: string): string | null =>
  names.find(([, pattern]) => pattern.test(client))?.[0] ?? null;
