import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DAY, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import {
  addFailure,
  FREE_ATTEMPTS,
  type Throttled,
  throttleWait,
} from "../../../src/domain/calls/limiter.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";

const KINDS = Object.keys(FREE_ATTEMPTS) as Throttled[];

describe("The wait after failures", () => {
  test("is zero for the first ten of an e-mail, a browser or an address that pairs, thirty of a network address, and five of the codes", () => {
    expect(FREE_ATTEMPTS).toEqual({ email: 10, address: 30, browser: 10, code: 5, pairing: 10 });
    for (const kind of KINDS) {
      const last = { count: FREE_ATTEMPTS[kind] - 1, lastAt: NOON };
      expect(throttleWait(last, kind, NOON)).toBe(0);
    }
  });

  test.each([
    [10, 15 * SECOND],
    [11, 30 * SECOND],
    [12, MINUTE],
    [13, 2 * MINUTE],
    [14, 4 * MINUTE],
    [15, 8 * MINUTE],
    [16, 15 * MINUTE],
    [17, 15 * MINUTE],
    [5_000, 15 * MINUTE],
  ])("after %i of one e-mail is %i ms, counted from the last one", (count, wait) => {
    const failures = { count, lastAt: NOON };
    expect(throttleWait(failures, "email", NOON)).toBe(wait);
    expect(throttleWait(failures, "email", NOON + 1_000)).toBe(wait - 1_000);
    expect(throttleWait(failures, "email", NOON + wait)).toBe(0);
    expect(throttleWait({ count: count + 20, lastAt: NOON }, "address", NOON)).toBe(wait);
  });

  test("is between zero and 15 minutes, whatever the clock does", () => {
    const counts = fc.oneof(fc.nat(40), fc.nat(2 ** 31));
    const gaps = fc.integer({ min: -DAY, max: DAY });
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), counts, gaps, (kind, count, gap) => {
        const wait = throttleWait({ count, lastAt: NOON + gap }, kind, NOON);
        expect(wait).toBeWithin(0, 15 * MINUTE + 1);
      }),
      cases(2_000),
    );
  });
});

describe("Failures", () => {
  test("add up while each follows the last within 15 minutes", () => {
    const first = addFailure(null, NOON);
    expect(first).toEqual({ count: 1, lastAt: NOON });
    const later = NOON + 15 * MINUTE - 1;
    expect(addFailure(first, later)).toEqual({ count: 2, lastAt: later });
  });

  test("are forgotten after 15 minutes without another", () => {
    const many = { count: 99, lastAt: NOON };
    expect(throttleWait(many, "email", NOON + 15 * MINUTE)).toBe(0);
    expect(addFailure(many, NOON + 15 * MINUTE)).toEqual({ count: 1, lastAt: NOON + 15 * MINUTE });
  });

  test("dated far into the future by a wrong clock keep nobody out", () => {
    const ahead = { count: 99, lastAt: NOON + DAY };
    expect(throttleWait(ahead, "email", NOON)).toBe(0);
    expect(addFailure(ahead, NOON)).toEqual({ count: 1, lastAt: NOON });
  });

  test("limit a persistent guesser to fewer than 45 passwords an hour", () => {
    let failures = addFailure(null, NOON);
    let tries = 1;
    for (let now = NOON; now < NOON + 60 * MINUTE; now += SECOND) {
      while (throttleWait(failures, "email", now) === 0) {
        failures = addFailure(failures, now);
        tries += 1;
      }
    }
    expect(tries).toBeWithin(20, 45);
  });
});
