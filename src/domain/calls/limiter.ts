import { HOUR, MINUTE } from "../base/instant.ts";

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
