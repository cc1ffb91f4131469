import {
  type ApiKey,
  isKeyLive,
  isName,
  parseLifetime,
  parseScopes,
  type Scope,
} from "../../../src/domain/people/api-key.ts";
import { expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../../src/domain/base/instant.ts";
import { isSessionLive, type Session, sessionExpiry } from "../../../src/domain/people/session.ts";
import { NOON } from "../../support/server.ts";

const key: ApiKey = {
  id: "k1",
  accountId: 1,
  name: "bot",
  hint: "docket_live_abcd…wxyz",
  scopes: ["read"],
  restriction: null,
  createdAt: NOON - DAY,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  replacedBy: null,
  historySize: 0,
  review: false,
  client: null,
};

test.each([
  ["never expires", {}, true],
  ["expires in a millisecond", { expiresAt: NOON + 1 }, true],
  ["expires now", { expiresAt: NOON }, false],
  ["has expired", { expiresAt: NOON - 1 }, false],
  ["is revoked", { revokedAt: NOON }, false],
  ["was revoked while the clock was ahead", { revokedAt: NOON + DAY }, false],
])("Whether a key that %s is live", (_name, fields, live) => {
  expect(isKeyLive({ ...key, ...fields }, NOON)).toBe(live);
});

test.each<[string, readonly Scope[] | null]>([
  ["read", ["read"]],
  ["write", ["write"]],
  ["read,write", ["read", "write"]],
  ["write, read", ["read", "write"]],
  [" read\twrite ", ["read", "write"]],
  ["read,read", ["read"]],
  ["", null],
  [",", null],
  ["delete", null],
  ["read,delete", null],
  ["READ", null],
  ["read+write", null],
])("Which scopes %j means", (text, scopes) => {
  expect(parseScopes(text)).toEqual(scopes);
});

test.each([
  ["1m", MINUTE],
  ["30m", 30 * MINUTE],
  ["12h", 12 * HOUR],
  ["90d", 90 * DAY],
  ["999999d", 999_999 * DAY],
  ["never", Number.POSITIVE_INFINITY],
  ["1000000d", null],
  ["0d", null],
  ["-1d", null],
  ["1.5d", null],
  ["090d", null],
  ["90", null],
  ["90s", null],
  ["90D", null],
  ["90 d", null],
  ["d", null],
  ["Never", null],
  ["", null],
])("How long %j is", (text, ms) => {
  expect(parseLifetime(text)).toBe(ms);
});

test.each([
  ["one letter", "b", true],
  ["spaces inside", "claims bot 2", true],
  ["emoji", "🤖", true],
  ["100 characters", "🤖".repeat(100), true],
  ["101 characters", "b".repeat(101), false],
  ["nothing", "", false],
  ["only spaces", "   ", false],
  ["a line end", "a\nb", false],
  ["an escape sequence", "\u001B[31mbot", false],
  ["a zero-width space", "b\u200Bot", false],
  ["reversed text", "b\u202Etob", false],
  ["half an emoji", "b\uD83E", false],
  ["a line separator", "a\u2028b", false],
  ["a paragraph separator", "a\u2029b", false],
])("Whether %s can be a name", (_name, text, taken) => {
  expect(isName(text)).toBe(taken);
});

const session: Session = {
  id: "s1",
  accountId: 1,
  name: "laptop",
  createdAt: NOON,
  lastUsedAt: NOON,
  revokedAt: null,
  lastSyncAt: null,
  pulled: null,
  applied: null,
  rejected: null,
};

test.each([
  ["30 days after its last use", {}, NOON + 30 * DAY],
  ["later if it is used", { lastUsedAt: NOON + 20 * DAY }, NOON + 50 * DAY],
  ["after 180 days in any case", { lastUsedAt: NOON + 179 * DAY }, NOON + 180 * DAY],
])("A session ends %s, to the millisecond", (_name, fields, end) => {
  const used = { ...session, ...fields };
  expect(sessionExpiry(used)).toBe(end);
  expect(isSessionLive(used, end - 1)).toBe(true);
  expect(isSessionLive(used, end)).toBe(false);
});

test("A revoked session is not live", () => {
  expect(isSessionLive({ ...session, revokedAt: NOON }, NOON)).toBe(false);
});
