import { expect, test } from "bun:test";
import { entitlement } from "../../../src/domain/people/account.ts";
import {
  addAccount,
  disableAccount,
  enableAccount,
  findAccount,
  listAccounts,
  setPassword,
  setPlan,
} from "../../../src/db/people/accounts.ts";
import { DAY, formatInstant, HOUR } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";
import { refused } from "../../support/refused.ts";
import { ask, openForTest, type TestStore } from "../../support/db/store.ts";

const ANN = "ann@example.org";
const add = (store: TestStore, email = ANN) =>
  addAccount(store, email, { plan: "pro", passwordHash: "hash" }, NOON);
const grant = (store: TestStore, plan: "free" | "pro", until: number | null, now: number) =>
  setPlan(store, ANN, { plan, until, source: null }, now);

test("An account is created once per e-mail address, and is found by it", async () => {
  const store = await openForTest();
  const ann = await add(store);
  expect(ann).toEqual({
    id: 1,
    uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: ANN,
    plan: "pro",
    planSource: "self_hosted",
    planUntil: null,
    proEndedAt: null,
    createdAt: NOON,
    disabledAt: null,
    isOwner: false,
  });
  expect(await findAccount(store, ANN)).toEqual(ann);
  expect(await findAccount(store, "bob@example.org")).toBeNull();
  expect(await refused(() => add(store))).toEqual({
    reason: "invalid",
    message: "There is already an account for ann@example.org.",
    headers: {},
  });
  expect(await listAccounts(store)).toEqual([ann]);
});

test("Of two requests for one e-mail address at once, only one gets it", async () => {
  const store = await openForTest();
  const outcomes = await Promise.allSettled([add(store), add(store)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await listAccounts(store)).toHaveLength(1);
});

test("An account as it is shown contains neither its password hash nor the server's internal fields", async () => {
  const store = await openForTest();
  await add(store);
  await setPassword(store, ANN, "another hash", { browserSessionId: null }, NOON);
  const shown = JSON.stringify([await findAccount(store, ANN), await listAccounts(store)]);
  expect(shown).not.toMatch(/hash|"hw"|inbox/i);
  expect(ask(store.directory, "SELECT password_hash FROM account")).toEqual([
    { password_hash: "another hash" },
  ]);
});

test("Taking Pro away ends it at that moment, and only once", async () => {
  const store = await openForTest();
  await add(store);
  const free = await grant(store, "free", null, NOON + DAY);
  const EXPIRED = { pro: false, plan: "free", expires_at: formatInstant(NOON + DAY) };
  expect(entitlement(free, NOON + 2 * DAY)).toMatchObject(EXPIRED);
  const again = await grant(store, "free", null, NOON + 5 * DAY);
  expect(entitlement(again, NOON + 6 * DAY)).toMatchObject(EXPIRED);
});

test("Pro that expired keeps its end, even if the plan is set to free later", async () => {
  const store = await openForTest();
  await add(store);
  await grant(store, "pro", NOON + DAY, NOON);
  const free = await grant(store, "free", null, NOON + 9 * DAY);
  expect(entitlement(free, NOON + 9 * DAY).expires_at).toBe(formatInstant(NOON + DAY));
});

test("Pro that is granted again counts again, and has no end unless one is set", async () => {
  const store = await openForTest();
  await add(store);
  await grant(store, "pro", NOON + HOUR, NOON);
  await grant(store, "free", null, NOON + DAY);
  const pro = await setPlan(store, ANN, { plan: "pro", until: null, source: "gift" }, NOON + DAY);
  expect(pro).toMatchObject({ plan: "pro", planUntil: null, planSource: "gift" });
  expect(await grant(store, "free", null, NOON + 2 * DAY)).toMatchObject({ planSource: "gift" });
});

test("Disabling an account twice keeps the first time, and it can be enabled again", async () => {
  const store = await openForTest();
  await add(store);
  await disableAccount(store, ANN, NOON + 1);
  expect((await disableAccount(store, ANN, NOON + 2)).disabledAt).toBe(NOON + 1);
  expect((await enableAccount(store, ANN)).disabledAt).toBeNull();
});

test("Every change to an account that does not exist is refused", async () => {
  const store = await openForTest();
  const refusal = {
    reason: "not_found" as const,
    message: "There is no account for ann@example.org.",
    headers: {},
  };
  for (const work of [
    () => grant(store, "free", null, NOON),
    () => setPassword(store, ANN, "hash", { browserSessionId: null }, NOON),
    () => disableAccount(store, ANN, NOON),
    () => enableAccount(store, ANN),
  ])
    expect(await refused(work)).toEqual(refusal);
});
