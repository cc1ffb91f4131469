import { expect, test } from "bun:test";
import { HOUR, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import {
  fillBuckets,
  isFull,
  type Limits,
  readQuotas,
  takeToken,
} from "../../../src/domain/calls/limiter.ts";

const LIMITS: Limits = { perMinute: 60, perHour: 600 };

/** Takes tokens at `now` until one is refused, and returns how many it got. */
const takeAll = (limits: Limits, buckets: ReturnType<typeof fillBuckets>, now: number): number => {
  let admitted = 0;
  while (takeToken(limits, buckets, now).admitted) admitted += 1;
  return admitted;
};

test("A burst of 60 is admitted, and the 61st call waits a whole minute", () => {
  const buckets = fillBuckets(LIMITS, []);
  for (let left = 59; left >= 0; left--) {
    expect(takeToken(LIMITS, buckets, 1_000)).toEqual({
      admitted: true,
      retryIn: 0,
      minute: { remaining: left, nextIn: MINUTE },
      hour: { remaining: left + 540, nextIn: HOUR },
    });
  }
  expect(takeToken(LIMITS, buckets, 1_000)).toEqual({
    admitted: false,
    retryIn: MINUTE,
    minute: { remaining: 0, nextIn: MINUTE },
    hour: { remaining: 540, nextIn: HOUR },
  });
});

test("A token is never away for longer than a minute, whatever fraction of a millisecond it was taken at", () => {
  for (let n = 0; n < 1_000; n++) {
    const { minute, hour } = takeToken(LIMITS, fillBuckets(LIMITS, []), 123_456 * n + n / 7);
    expect([n, minute.nextIn, hour.nextIn]).toEqual([n, MINUTE, HOUR]);
  }
});

test("A token comes back exactly a minute after it was taken, and not a millisecond earlier", () => {
  const buckets = fillBuckets(LIMITS, []);
  takeToken(LIMITS, buckets, 0);
  for (let i = 0; i < 59; i++) takeToken(LIMITS, buckets, 30 * SECOND);
  expect(takeToken(LIMITS, buckets, MINUTE - 1).retryIn).toBe(1);
  expect(takeToken(LIMITS, buckets, MINUTE).admitted).toBe(true);
  expect(takeToken(LIMITS, buckets, MINUTE).retryIn).toBe(30 * SECOND);
});

test("With a burst every minute, ten are admitted, and then none until the first is an hour old", () => {
  const buckets = fillBuckets(LIMITS, []);
  for (let minute = 0; minute < 10; minute++)
    expect(takeAll(LIMITS, buckets, minute * MINUTE)).toBe(60);
  expect(takeToken(LIMITS, buckets, 10 * MINUTE)).toEqual({
    admitted: false,
    retryIn: 50 * MINUTE,
    minute: { remaining: 60, nextIn: 0 },
    hour: { remaining: 0, nextIn: 50 * MINUTE },
  });
  expect(takeToken(LIMITS, buckets, HOUR - 1).retryIn).toBe(1);
  expect(takeAll(LIMITS, buckets, HOUR)).toBe(60);
});

test("Refused calls take nothing, however many there are", () => {
  const buckets = fillBuckets(LIMITS, []);
  takeAll(LIMITS, buckets, 0);
  for (let now = 1; now < MINUTE; now++)
    expect(takeToken(LIMITS, buckets, now).retryIn).toBe(MINUTE - now);
  expect(takeAll(LIMITS, buckets, MINUTE)).toBe(60);
});

test("Reading the quotas takes nothing", () => {
  const buckets = fillBuckets(LIMITS, [0]);
  const quotas = {
    minute: { remaining: 59, nextIn: MINUTE - 5 },
    hour: { remaining: 599, nextIn: HOUR - 5 },
  };
  for (let i = 0; i < 100; i++) expect(readQuotas(LIMITS, buckets, 5)).toEqual(quotas);
});

test.each([
  ["one a minute, one an hour", { perMinute: 1, perHour: 1 }, 1, HOUR],
  ["fewer an hour than a minute", { perMinute: 60, perHour: 5 }, 5, HOUR],
  ["as many an hour as a minute", { perMinute: 7, perHour: 7 }, 7, HOUR],
  ["one a minute", { perMinute: 1, perHour: 600 }, 1, MINUTE],
  ["very many", { perMinute: 5_000, perHour: 100_000 }, 5_000, MINUTE],
])("Other limits hold too: %s", (_name, limits, burst, retryIn) => {
  const buckets = fillBuckets(limits, []);
  expect(takeAll(limits, buckets, 0)).toBe(burst);
  expect(takeToken(limits, buckets, 0)).toMatchObject({ admitted: false, retryIn });
  expect(takeToken(limits, buckets, retryIn - 1)).toMatchObject({ admitted: false, retryIn: 1 });
  expect(takeToken(limits, buckets, retryIn).admitted).toBe(true);
});

test("Refilled with more calls than the limits now allow, it waits until enough of them are old", () => {
  const limits = { perMinute: 2, perHour: 3 };
  const buckets = fillBuckets(limits, [10, 20, 30, 40, 50]);
  expect(readQuotas(limits, buckets, 50)).toEqual({
    minute: { remaining: 0, nextIn: MINUTE - 10 },
    hour: { remaining: 0, nextIn: HOUR - 20 },
  });
  expect(takeToken(limits, buckets, HOUR + 29).admitted).toBe(false);
  expect(takeToken(limits, buckets, HOUR + 30).admitted).toBe(true);
});

test("Buckets can be forgotten an hour after the last token was taken", () => {
  const buckets = fillBuckets(LIMITS, []);
  expect(isFull(buckets, 0)).toBe(true);
  takeToken(LIMITS, buckets, 0);
  takeToken(LIMITS, buckets, 100);
  expect(isFull(buckets, HOUR)).toBe(false);
  expect(isFull(buckets, HOUR + 99)).toBe(false);
  expect(isFull(buckets, HOUR + 100)).toBe(true);
  expect(readQuotas(LIMITS, buckets, HOUR + 100)).toEqual(
    readQuotas(LIMITS, fillBuckets(LIMITS, []), HOUR + 100),
  );
});
