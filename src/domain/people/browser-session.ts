import { DAY, type Instant, MINUTE } from "../base/instant.ts";

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

const IDLE = 14 * DAY;
const ABSOLUTE = 90 * DAY;
/** How recent the proof must be for changes that cannot be undone: keys, passwords, passkeys. */
const RECENT = 10 * MINUTE;

/** A browser session ends after 14 days without use, and after 90 days in any case. */
export const browserSessionExpiry = (browserSession: BrowserSession): Instant =>
  Math.min(browserSession.lastUsedAt + IDLE, browserSession.createdAt + ABSOLUTE);

export const isBrowserSessionLive = (browserSession: BrowserSession, now: Instant): boolean =>
  browserSession.endedAt === null && browserSessionExpiry(browserSession) > now;

/**
 * Whether the proof is at most 10 minutes old (OWASP ASVS 5.0, 7.5.3). A proof in the future does
 * not count.
 */
export const isRecent = (browserSession: BrowserSession, now: Instant): boolean =>
  browserSession.authenticatedAt <= now && now - browserSession.authenticatedAt <= RECENT;
