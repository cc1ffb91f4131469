import { type Instant, MINUTE, SECOND } from "../base/instant.ts";

/** Tries to sign in that have failed, or are under way: of one e-mail, one address or one browser. */
export type Failures = {
  readonly count: number;
  readonly lastAt: Instant;
};

/** Failures that are free; each one after them doubles the wait. */
export const FREE_TRIES = { email: 10, address: 30, browser: 10 } as const;
export type Throttled = keyof typeof FREE_TRIES;

const WINDOW = 15 * MINUTE;
const FIRST_WAIT = 15 * SECOND;

/**
 * How long, in ms, the next try has to wait: never more than 15 minutes, since a lock that stays is a
 * way to keep someone out (OWASP ASVS 5.0, 6.1.1).
 */
export const throttleWait = (failures: Failures, kind: Throttled, now: Instant): number => {
  const over = failures.count - FREE_TRIES[kind];
  if (over < 0 || isForgotten(failures, now)) return 0;
  const wait = Math.min(FIRST_WAIT * 2 ** over, WINDOW);
  // A clock that was set back since the last failure makes nobody wait for longer.
  return Math.min(Math.max(failures.lastAt + wait - now, 0), wait);
};

/** The failures with one more. */
export const addFailure = (failures: Failures | null, now: Instant): Failures => ({
  count: failures === null || isForgotten(failures, now) ? 1 : failures.count + 1,
  lastAt: now,
});

/** After 15 minutes without a failure. What is from the future was counted by a clock that was wrong. */
const isForgotten = ({ lastAt }: Failures, now: Instant): boolean =>
  Math.abs(now - lastAt) >= WINDOW;
