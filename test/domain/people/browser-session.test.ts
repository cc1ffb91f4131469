import { describe, expect, test } from "bun:test";
import { DAY, MINUTE } from "../../../src/domain/base/instant.ts";
import {
  type BrowserSession,
  browserSessionExpiry,
  isBrowserSessionLive,
  isRecent,
} from "../../../src/domain/people/session.ts";
import { NOON } from "../../support/server.ts";

const browserSession = (fields: Partial<BrowserSession> = {}): BrowserSession => ({
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

describe("A browser session", () => {
  test("ends after 14 days without use", () => {
    expect(browserSessionExpiry(browserSession())).toBe(NOON + 14 * DAY);
    expect(isBrowserSessionLive(browserSession(), NOON + 14 * DAY - 1)).toBe(true);
    expect(isBrowserSessionLive(browserSession(), NOON + 14 * DAY)).toBe(false);
  });

  test("is extended by use, up to 90 days in all", () => {
    const used = browserSession({ lastUsedAt: NOON + 80 * DAY });
    expect(isBrowserSessionLive(used, NOON + 90 * DAY - 1)).toBe(true);
    expect(isBrowserSessionLive(used, NOON + 90 * DAY)).toBe(false);
  });

  test("that was ended is over at once", () => {
    expect(isBrowserSessionLive(browserSession({ endedAt: NOON }), NOON)).toBe(false);
  });
});

describe("A proof of identity", () => {
  test.each([
    ["just now", 0, true],
    ["ten minutes ago", 10 * MINUTE, true],
    ["a millisecond more than ten minutes ago", 10 * MINUTE + 1, false],
    ["made while the clock was ahead", -1, false],
  ])("%s is recent or not", (_name, age, recent) => {
    expect(isRecent(browserSession({ lastUsedAt: NOON + DAY }), NOON + age)).toBe(recent);
  });
});
