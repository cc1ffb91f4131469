import { expect, test } from "bun:test";
import fc from "fast-check";
import { HOUR, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import {
  type Allowance,
  type Buckets,
  fillBuckets,
  type Limits,
  type Quota,
  takeToken,
} from "../../../src/domain/calls/limiter.ts";
import { cases, times } from "../../support/random.ts";

/** The rule by simple counting: slow, and without a ring or halving. */
const oracle = (limits: Limits) => {
  const log: number[] = [];
  const within = (window: number, now: number): readonly number[] => {
    let start = log.length;
    while (start > 0 && (log[start - 1] ?? 0) > now - window) start -= 1;
    return log.slice(start);
  };
  const quota = (limit: number, window: number, now: number): Quota => {
    const taken = within(window, now);
    const first = taken.at(Math.max(taken.length - limit, 0));
    return {
      remaining: Math.max(limit - taken.length, 0),
      nextIn: first === undefined ? 0 : first + window - now,
    };
  };
  const quotas = (now: number) => ({
    minute: quota(limits.perMinute, MINUTE, now),
    hour: quota(limits.perHour, HOUR, now),
  });
  const take = (now: number): Allowance => {
    const { minute, hour } = quotas(now);
    const waits = [minute, hour].map(({ remaining, nextIn }) => (remaining > 0 ? 0 : nextIn));
    const retryIn = Math.max(...waits);
    if (retryIn === 0) log.push(now);
    return { admitted: retryIn === 0, retryIn, ...quotas(now) };
  };
  return { log, take };
};

const copy = ({ taken, count }: Buckets): Buckets => ({ taken: taken.slice(), count });

/** Whether waiting `retryIn` is enough, and one millisecond less is not. */
const isExact = (limits: Limits, buckets: Buckets, now: number, retryIn: number): boolean =>
  takeToken(limits, copy(buckets), now + retryIn).admitted &&
  !takeToken(limits, copy(buckets), now + retryIn - 1).admitted;

/** Whether no window of that length holds more than `limit` calls. */
const keepsLimit = (log: readonly number[], limit: number, window: number): boolean =>
  log.every((time, index) => index < limit || time - (log[index - limit] ?? 0) >= window);

const LIMITS: readonly Limits[] = [
  { perMinute: 60, perHour: 600 },
  { perMinute: 3, perHour: 10 },
  { perMinute: 10, perHour: 3 },
  { perMinute: 1, perHour: 1 },
  { perMinute: 1, perHour: 60 },
  { perMinute: 8, perHour: 8 },
  { perMinute: 13, perHour: 777 },
];

/** Bursts, steady traffic, callers that wait almost exactly long enough, and long silence. */
const gaps = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 3 * SECOND }) },
  { weight: 2, arbitrary: fc.integer({ min: MINUTE - 2, max: MINUTE + 2 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 * MINUTE }) },
);
const arrivals = fc.array(gaps, { minLength: 1_500, maxLength: 1_500 });

test.each(LIMITS.map((limits) => [limits.perMinute, limits.perHour, limits] as const))(
  "Random calls under %d a minute and %d an hour are admitted exactly as by counting",
  (perMinute, perHour, limits) => {
    let decisions = 0;
    const agrees = (arrived: readonly number[]): void => {
      const buckets = fillBuckets(limits, []);
      const { log, take } = oracle(limits);
      let now = 0;
      for (const gap of arrived) {
        now += gap;
        const allowance = takeToken(limits, buckets, now);
        expect(allowance).toEqual(take(now));
        if (!allowance.admitted)
          expect(isExact(limits, buckets, now, allowance.retryIn)).toBe(true);
        decisions += 1;
      }
      expect(keepsLimit(log, perMinute, MINUTE)).toBe(true);
      expect(keepsLimit(log, perHour, HOUR)).toBe(true);
    };
    fc.assert(fc.property(arrivals, agrees), cases(40));
    expect(decisions).toBe(times(40) * 1_500);
  },
);

test("Buckets refilled from times in any order continue as if they had never been lost", () => {
  const ages = fc.array(fc.integer({ min: 0, max: 2 * HOUR }), { maxLength: 100 });
  const limits = fc.constantFrom(...LIMITS);
  fc.assert(
    fc.property(limits, ages, fc.array(gaps, { maxLength: 50 }), (limit, old, next) => {
      const start = 3 * HOUR;
      const buckets = fillBuckets(
        limit,
        old.map((age) => start - age),
      );
      const { log, take } = oracle(limit);
      log.push(...old.map((age) => start - age).toSorted((a, b) => a - b));
      let now = start;
      for (const gap of next) {
        now += gap;
        expect(takeToken(limit, buckets, now)).toEqual(take(now));
      }
    }),
    cases(500),
  );
});

const clamp = (age: number): number => Math.min(Math.max(age, 0), HOUR);

test("A call that a wrong clock dated tomorrow counts from now on", () => {
  const limits = { perMinute: 2, perHour: 4 };
  const now = 10 * HOUR;
  const tomorrow = [-24 * HOUR, -1].map((age) => now - clamp(age));
  expect(takeToken(limits, fillBuckets(limits, tomorrow), now).retryIn).toBe(MINUTE);
  const longAgo = [HOUR, 900 * HOUR].map((age) => now - clamp(age));
  expect(takeToken(limits, fillBuckets(limits, longAgo), now)).toEqual({
    admitted: true,
    retryIn: 0,
    minute: { remaining: 1, nextIn: MINUTE },
    hour: { remaining: 3, nextIn: HOUR },
  });
});
