import { expect, test } from "bun:test";
import {
  type Account,
  entitlement,
  isPro,
  normaliseEmail,
} from "../../../src/domain/people/account.ts";
import { DAY, formatInstant, HOUR } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";

const MADE = NOON - 400 * DAY;
const ann: Account = {
  id: 1,
  uid: "u1",
  email: "ann@example.org",
  plan: "pro",
  planSource: "self_hosted",
  planUntil: null,
  proEndedAt: null,
  createdAt: MADE,
  isOwner: false,
  disabledAt: null,
};

const PRO = { pro: true, plan: "pro", source: "self_hosted" } as const;
const FREE = { pro: false, plan: "free", source: "self_hosted" } as const;

test.each([
  ["Pro without an end", {}, PRO, NOON + 30 * DAY, NOON + DAY],
  ["Pro until a year from now", { planUntil: NOON + 365 * DAY }, PRO, NOON + 30 * DAY, NOON + DAY],
  ["Pro until next week", { planUntil: NOON + 7 * DAY }, PRO, NOON + 7 * DAY, NOON + DAY],
  ["Pro for one more hour", { planUntil: NOON + HOUR }, PRO, NOON + HOUR, NOON + HOUR],
  ["Pro for one more millisecond", { planUntil: NOON + 1 }, PRO, NOON + 1, NOON + 1],
  ["Pro until now", { planUntil: NOON }, FREE, NOON, NOON + DAY],
  ["Pro until yesterday", { planUntil: NOON - DAY }, FREE, NOON - DAY, NOON + DAY],
  ["free from the beginning", { plan: "free" }, FREE, MADE, NOON + DAY],
  [
    "free since last week",
    { plan: "free", proEndedAt: NOON - 7 * DAY },
    FREE,
    NOON - 7 * DAY,
    NOON + DAY,
  ],
] as const)(
  "An account that is %s gets the right entitlement and its end",
  (_name, fields, plan, ends, again) => {
    const account: Account = { ...ann, ...fields };
    expect(isPro(account, NOON)).toBe(plan.pro);
    expect(entitlement(account, NOON)).toEqual({
      ...plan,
      expires_at: formatInstant(ends),
      recheck_after: formatInstant(again),
    });
  },
);

test("The entitlement names the source of the plan", () => {
  expect(entitlement({ ...ann, planSource: "stripe" }, NOON).source).toBe("stripe");
});

test.each([
  ["as it is", "ann@example.org", "ann@example.org"],
  ["in any letter case", "Ann@Example.ORG", "ann@example.org"],
  ["with space around it", " ann@example.org\n", "ann@example.org"],
  ["at a host without dots", "ann@localhost", "ann@localhost"],
  ["with a tag", "ann+docket@example.org", "ann+docket@example.org"],
  ["with 254 characters", `${"a".repeat(242)}@example.org`, `${"a".repeat(242)}@example.org`],
  ["with 255 characters", `${"a".repeat(243)}@example.org`, null],
  ["without an @", "ann.example.org", null],
  ["with two", "ann@bob@example.org", null],
  ["without a name", "@example.org", null],
  ["without a host", "ann@", null],
  ["with a space inside", "ann smith@example.org", null],
  ["with an invisible character", "ann\u200B@example.org", null],
  ["with a control character", "ann\u0007@example.org", null],
  ["empty", "", null],
])("An e-mail address %s is stored in its normal form, or refused", (_name, text, email) => {
  expect(normaliseEmail(text)).toBe(email);
});
