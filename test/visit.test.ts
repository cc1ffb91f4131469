import { describe, expect, test } from "bun:test";
import { DAY, MINUTE } from "../src/instant.ts";
import { isRecent, isVisitLive, type Visit, visitExpiry } from "../src/visit.ts";
import { NOON } from "./_server.ts";

const visit = (fields: Partial<Visit> = {}): Visit => ({
  id: "v1",
  accountId: 1,
  method: "password",
  client: null,
  address: "127.0.0.1",
  createdAt: NOON,
  lastUsedAt: NOON,
  authenticatedAt: NOON,
  endedAt: null,
  ...fields,
});

describe("a visit", () => {
  test("ends after 14 days without use", () => {
    expect(visitExpiry(visit())).toBe(NOON + 14 * DAY);
    expect(isVisitLive(visit(), NOON + 14 * DAY - 1)).toBe(true);
    expect(isVisitLive(visit(), NOON + 14 * DAY)).toBe(false);
  });

  test("lives on by being used, for 90 days in all", () => {
    const used = visit({ lastUsedAt: NOON + 80 * DAY });
    expect(isVisitLive(used, NOON + 90 * DAY - 1)).toBe(true);
    expect(isVisitLive(used, NOON + 90 * DAY)).toBe(false);
  });

  test("that was ended is over at once", () => {
    expect(isVisitLive(visit({ endedAt: NOON }), NOON)).toBe(false);
  });
});

describe("a proof of who sits there", () => {
  test.each([
    ["just now", 0, true],
    ["ten minutes ago", 10 * MINUTE, true],
    ["a millisecond more than ten minutes ago", 10 * MINUTE + 1, false],
    ["by a clock that was ahead", -1, false],
  ])("%s is recent or not", (_name, age, recent) => {
    expect(isRecent(visit({ lastUsedAt: NOON + DAY }), NOON + age)).toBe(recent);
  });
});
