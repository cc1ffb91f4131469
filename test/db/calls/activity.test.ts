import { expect, test } from "bun:test";
import type { Activity } from "../../../src/domain/calls/activity.ts";
import {
  listActivity,
  pruneActivity,
  recordCall,
  tokenTimes,
} from "../../../src/db/calls/activity.ts";
import { createKey } from "../../../src/db/people/api-keys.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { startLimiter } from "../../../src/server/checks/admission.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { NOON, testClock } from "../../support/server.ts";
import { accountFor, ask, openForTest, type TestStore } from "../../support/db/store.ts";

const world = async () => {
  const store = await openForTest();
  const accountId = await accountFor(store);
  const keyFields = { name: "bot", scopes: ["read"] as const, restriction: null, expiresAt: null };
  const { key } = await createKey(store, accountId, keyFields, cryptoRandom, NOON);
  const call: Activity = {
    keyId: key.id,
    accountId,
    at: NOON,
    method: "GET",
    route: "/api/public/v1/tasks",
    status: 200,
    touched: null,
    client: "curl/8.5.0",
    tookToken: true,
    dryRun: false,
    tool: null,
  };
  return { store, accountId, keyId: key.id, call };
};

test("Each admitted call gets a row of its own, newest first", async () => {
  const { store, call, keyId } = await world();
  await recordCall(store, call);
  await recordCall(store, { ...call, at: NOON + 1, status: 404, touched: "task:t1", client: null });
  const { accountId, method, route } = call;
  const same = {
    accountId,
    keyId,
    method,
    route,
    tookToken: 1,
    count: 1,
    dryRun: 0,
    tool: null,
    keyName: "bot",
  };
  expect(await listActivity(store, keyId, 10)).toEqual([
    { ...same, id: 2, at: NOON + 1, status: 404, touched: "task:t1", client: null },
    { ...same, id: 1, at: NOON, status: 200, touched: null, client: "curl/8.5.0" },
  ]);
  expect(await listActivity(store, null, 1)).toHaveLength(1);
  expect(await listActivity(store, "another key", 10)).toEqual([]);
});

test("Refused calls share a row per key, minute, method, route and status", async () => {
  const { store, call, keyId } = await world();
  const refusedCall = { ...call, status: 429, tookToken: false };
  await Promise.all(
    [
      refusedCall,
      { ...refusedCall, at: NOON + 59 * SECOND },
      { ...refusedCall, at: NOON + 30 * SECOND },
      { ...refusedCall, at: NOON + MINUTE },
      { ...refusedCall, method: "POST" },
      { ...refusedCall, route: "*" },
      { ...refusedCall, status: 404 },
      call,
    ].map((one) => recordCall(store, one)),
  );
  const rows = await listActivity(store, keyId, 100);
  expect(
    rows.map(({ at, method, route, status, count }) => [at - NOON, method, route, status, count]),
  ).toEqual([
    [MINUTE, "GET", call.route, 429, 1],
    [59 * SECOND, "GET", call.route, 429, 3],
    [0, "GET", call.route, 200, 1],
    [0, "GET", call.route, 404, 1],
    [0, "GET", "*", 429, 1],
    [0, "POST", call.route, 429, 1],
  ]);
});

test("Calls are deleted once there were others on 100 later days, however many they are", async () => {
  const { store, call, keyId } = await world();
  const old = Array.from({ length: 2_500 }, () => ({ ...call, at: NOON - 100 * DAY }));
  await Promise.all(old.map((one) => recordCall(store, one)));
  const days = Array.from({ length: 100 }, (_, day) => NOON - day * DAY);
  for (const at of days.slice(1).toReversed()) await recordCall(store, { ...call, at });
  await pruneActivity(store, NOON);
  expect(await listActivity(store, keyId, 3_000)).toHaveLength(2_599);
  await recordCall(store, call);
  await pruneActivity(store, NOON - 1);
  expect(await listActivity(store, keyId, 3_000)).toHaveLength(2_600);
  await pruneActivity(store, NOON);
  expect((await listActivity(store, keyId, 3_000)).map(({ at }) => at)).toEqual(days);
});

test("The limiter is refilled with each token of a handshake, whose calls share a row", async () => {
  const { store, call, keyId } = await world();
  const hello = { ...call, method: "POST", route: "/mcp", tool: "initialize" };
  for (const at of [1, 2, 3]) await recordCall(store, { ...hello, at: NOON + at });
  await recordCall(store, { ...call, at: NOON + 4 });
  const [all, two] = [await tokenTimes(store, keyId, 10), await tokenTimes(store, keyId, 2)];
  expect(all).toEqual([NOON + 4, NOON + 3, NOON + 3, NOON + 3]);
  expect(two).toEqual([NOON + 4, NOON + 3]);
});

test("The limiter is refilled with the key's most recently taken tokens", async () => {
  const { store, call, keyId } = await world();
  for (const at of [5, 1, 3, 2, 4]) await recordCall(store, { ...call, at: NOON + at });
  await recordCall(store, { ...call, at: NOON + 9, status: 429, tookToken: false });
  await recordCall(store, { ...call, at: NOON + 9, keyId: "another key" });
  expect(await tokenTimes(store, keyId, 3)).toEqual([NOON + 5, NOON + 4, NOON + 3]);
});

const limits = { perMinute: 2, perHour: 5 };
const limiterAt = (store: TestStore, now: number) => startLimiter(store, limits, testClock(now));

test("A restart does not get around the limits", async () => {
  const { store, call, keyId } = await world();
  for (const at of [0, 1]) await recordCall(store, { ...call, at: NOON + at * SECOND });
  expect(await limiterAt(store, NOON + 10 * SECOND).take(keyId)).toEqual({
    admitted: false,
    retryIn: 50 * SECOND,
    minute: { remaining: 0, nextIn: 50 * SECOND },
    hour: { remaining: 3, nextIn: HOUR - 10 * SECOND },
  });
  expect((await limiterAt(store, NOON + MINUTE).take(keyId)).admitted).toBe(true);
});

test("Rows from a clock that ran ahead count from the restart on; old rows do not count", async () => {
  const { store, call, keyId } = await world();
  for (const at of [NOON + 5 * HOUR, NOON - 5 * HOUR]) await recordCall(store, { ...call, at });
  expect(await limiterAt(store, NOON).peek(keyId)).toEqual({
    minute: { remaining: 1, nextIn: MINUTE },
    hour: { remaining: 4, nextIn: HOUR },
  });
});

test("A limiter that could not be refilled tries again on the next call", async () => {
  const { store, keyId } = await world();
  const limiter = limiterAt(store, NOON);
  ask(store.directory, "ALTER TABLE activity RENAME TO elsewhere");
  await expect(limiter.take(keyId)).rejects.toThrow();
  ask(store.directory, "ALTER TABLE elsewhere RENAME TO activity");
  expect((await limiter.take(keyId)).admitted).toBe(true);
});
