import { type Instant, MINUTE, SECOND } from "../base/instant.ts";

/**
 * Sign-in attempts that failed or are in progress, for one e-mail, one network address, one
 * browser, one account's codes or one network address's pairing codes.
 */
export type Failures = {
  readonly count: number;
  readonly lastAt: Instant;
};

/**
 * Failures without a wait. Each one after that doubles the wait. `code` counts wrong codes beside a right password: six
 * digits are guessed sooner than a password. `pairing` counts pairing codes that nobody has: a typed one names no account.
 */
export const FREE_ATTEMPTS = { email: 10, address: 30, browser: 10, code: 5, pairing: 10 } as const;
export type Throttled = keyof typeof FREE_ATTEMPTS;

const WINDOW = 15 * MINUTE;
const FIRST_WAIT = 15 * SECOND;

/**
 * Returns how long the next attempt must wait, in ms. Never more than 15 minutes: a permanent lock
 * would let a stranger shut someone out (OWASP ASVS 5.0, 6.1.1).
 */
export const throttleWait = (failures: Failures, kind: Throttled, now: Instant): number => {
  const over = failures.count - FREE_ATTEMPTS[kind];
  if (over < 0 || isForgotten(failures, now)) return 0;
  const wait = Math.min(FIRST_WAIT * 2 ** over, WINDOW);
  // If the clock was set back since the last failure, nobody waits longer for it.
  return Math.min(Math.max(failures.lastAt + wait - now, 0), wait);
};

/** Returns the failures with one more counted at `now`. */
export const addFailure = (failures: Failures | null, now: Instant): Failures => ({
  count: failures === null || isForgotten(failures, now) ? 1 : failures.count + 1,
  lastAt: now,
});

/**
 * Failures are forgotten after 15 minutes without another. A failure far in the future comes from a
 * wrong clock and is forgotten too.
 */
const isForgotten = ({ lastAt }: Failures, now: Instant): boolean =>
  Math.abs(now - lastAt) >= WINDOW;
