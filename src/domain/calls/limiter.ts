import { HOUR, type Instant, MINUTE, SECOND } from "../base/instant.ts";

/** How many requests a key may make in any minute and in any hour (specification, section 8). */
export type Limits = { readonly perMinute: number; readonly perHour: number };

/**
 * What is left of one limit: `remaining` tokens, and the milliseconds until the next one comes back
 * (0 if none is out).
 */
export type Quota = { readonly remaining: number; readonly nextIn: number };

export type Quotas = { readonly minute: Quota; readonly hour: Quota };

export type Allowance = Quotas & {
  readonly admitted: boolean;
  /** Milliseconds until a call would be admitted; 0 if this one was. */
  readonly retryIn: number;
};

/**
 * One key's two token buckets. A token comes back exactly a minute, or an hour, after it was taken,
 * so no window of that length ever admits more than the limit, wherever it begins. One ring of the
 * times at which tokens were taken serves both buckets: the n-th newest time tells when the n-th
 * token returns.
 */
export type Buckets = { readonly taken: Float64Array; count: number };

/**
 * Creates buckets whose tokens were taken at `times`: milliseconds on the limiter's own clock, in
 * any order.
 */
export const fillBuckets = (limits: Limits, times: readonly number[]): Buckets => {
  const buckets: Buckets = {
    taken: new Float64Array(Math.max(limits.perMinute, limits.perHour)),
    count: 0,
  };
  for (const time of times.toSorted((a, b) => a - b)) record(buckets, time);
  return buckets;
};

/**
 * Takes a token from both buckets, or from neither. `now` is milliseconds of a clock that never
 * goes back. A refused call takes nothing, so waiting `retryIn` is always enough.
 */
export const takeToken = (limits: Limits, buckets: Buckets, now: number): Allowance => {
  const { minute, hour } = readQuotas(limits, buckets, now);
  const retryIn = Math.max(waitFor(minute), waitFor(hour));
  if (retryIn === 0) record(buckets, now);
  return { admitted: retryIn === 0, retryIn, ...readQuotas(limits, buckets, now) };
};

/** Returns what is left of both limits. */
export const readQuotas = (limits: Limits, buckets: Buckets, now: number): Quotas => ({
  minute: quota(buckets, limits.perMinute, MINUTE, now),
  hour: quota(buckets, limits.perHour, HOUR, now),
});

const waitFor = ({ remaining, nextIn }: Quota): number => (remaining > 0 ? 0 : nextIn);

/** Whether every token is back, so that the buckets need not stay in memory. */
export const isFull = (buckets: Buckets, now: number): boolean =>
  buckets.count === 0 || nthNewest(buckets, 1) <= now - HOUR;

const record = (buckets: Buckets, time: number): void => {
  buckets.taken[buckets.count % buckets.taken.length] = time;
  buckets.count += 1;
};

const nthNewest = ({ taken, count }: Buckets, n: number): number =>
  taken[(count - n) % taken.length] ?? Number.NEGATIVE_INFINITY;

const quota = (buckets: Buckets, limit: number, window: number, now: number): Quota => {
  const out = countSince(buckets, Math.min(buckets.count, limit), now - window);
  // In this order: the steady clock has fractions of a millisecond, and adding the window to a time would round them.
  const left = window - (now - nthNewest(buckets, out));
  return { remaining: limit - out, nextIn: out === 0 ? 0 : left };
};

/**
 * Counts how many of the `known` newest times are after `start`. They are in order, so it searches
 * by halving.
 */
const countSince = (buckets: Buckets, known: number, start: number): number => {
  let low = 0;
  let high = known;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (nthNewest(buckets, middle) > start) low = middle;
    else high = middle - 1;
  }
  return low;
};

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
