import { expect, test } from "bun:test";
import { HOUR, MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { type Answer, startServer, testClock, type TestServer } from "../support/server.ts";
import { expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call, clock } = server;
const POLICY = '"minute";q=60;w=60, "hour";q=600;w=3600';

/** For `minute` and `hour`: what is left, and the seconds until more comes back. */
const left = (minute: readonly [number, number], hour: readonly [number, number]): string =>
  `"minute";r=${minute[0]};t=${minute[1]}, "hour";r=${hour[0]};t=${hour[1]}`;

const quotas = ({ headers }: Answer) => ({
  policy: headers.get("ratelimit-policy"),
  left: headers.get("ratelimit"),
});

const me = (token: string, at: TestServer = server) => at.call("GET", "/me", { token });

const burst = async (token: string, count: number, at: TestServer = server): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: count }, () => me(token, at)));
  return answers.map(({ status }) => status);
};

const expectWait = (answer: Answer, seconds: number): void => {
  expectRefusal(answer, 429, SAYS.wait(seconds));
  expect(answer.headers.get("retry-after")).toBe(String(seconds));
};

test("Of 200 calls at once, exactly 60 pass", async () => {
  const token = await (await newcomer(server)).key();
  const statuses = await burst(token, 200);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(140);
});

test("Retry-After is exact: a second less is too early, and refused calls take nothing", async () => {
  const token = await (await newcomer(server)).key();
  await burst(token, 59);
  clock.advance(20 * SECOND);
  await me(token);
  expectWait(await me(token), 40);
  clock.advance(39 * SECOND);
  for (const status of await burst(token, 50)) expect(status).toBe(429);
  expectWait(await me(token), 1);
  clock.advance(999);
  expectWait(await me(token), 1);
  clock.advance(1);
  const statuses = await burst(token, 70);
  expect(statuses.filter((status) => status === 200)).toHaveLength(59);
  expectWait(await me(token), 20);
});

test("No minute admits more than 60 calls, wherever it begins", async () => {
  const token = await (await newcomer(server)).key();
  clock.advance(59 * SECOND);
  expect(new Set(await burst(token, 60))).toEqual(new Set([200]));
  clock.advance(2 * SECOND);
  expect(new Set(await burst(token, 60))).toEqual(new Set([429]));
  clock.advance(58 * SECOND);
  expect(new Set(await burst(token, 60))).toEqual(new Set([200]));
});

test("The 601st call of an hour waits for the hour to pass", async () => {
  const token = await (await newcomer(server)).key();
  for (let minute = 0; minute < 10; minute++) {
    expect(new Set(await burst(token, 60))).toEqual(new Set([200]));
    clock.advance(MINUTE);
  }
  expectWait(await me(token), 50 * 60);
  clock.advance(HOUR - 10 * MINUTE - 1);
  expectWait(await me(token), 1);
  clock.advance(1);
  expect((await me(token)).status).toBe(200);
});

test("Every reply to a key says how much is left", async () => {
  const ann = await newcomer(server);
  const token = await ann.key(["read"]);
  expect(quotas(await me(token))).toEqual({ policy: POLICY, left: left([59, 60], [599, 3600]) });
  clock.advance(1_500);
  const after = { policy: POLICY, left: left([58, 59], [598, 3599]) };
  const refused = await call("POST", "/tasks", { token, body: {} });
  expect([refused.status, quotas(refused)]).toEqual([403, after]);
  const spared: readonly (readonly [number, string, string])[] = [
    [405, "DELETE", "/tasks"],
    [405, "PATCH", "/projects"],
    [404, "GET", "/nothing"],
    [405, "HEAD", "/inbox/tabs"],
  ];
  for (const [status, method, path] of spared) {
    const answer = await call(method, path, { token });
    expect([method, answer.status, quotas(answer)]).toEqual([method, status, after]);
  }
  const evil = await call("GET", "/tasks", { token, headers: { host: "evil.example" } });
  expect([evil.status, quotas(evil)]).toEqual([421, after]);
  await burst(token, 58);
  const full = await me(token);
  expect(quotas(full)).toEqual({ policy: POLICY, left: left([0, 59], [540, 3599]) });
});

test("A session is never limited, and its replies do not mention limits", async () => {
  const { session } = await newcomer(server);
  expect(new Set(await burst(session, 200))).toEqual(new Set([200]));
  expect(quotas(await me(session))).toEqual({ policy: null, left: null });
});

test("Every outcome takes one token, except for calls that end before the limiter", async () => {
  const token = await (await newcomer(server)).key();
  const count = async () => {
    const [, minute] =
      /"minute";r=(\d+)/.exec(quotas(await call("PATCH", "/me", { token })).left ?? "") ?? [];
    return 60 - Number(minute);
  };
  const asks: readonly (readonly [number, number, string, string, unknown?])[] = [
    [1, 200, "GET", "/tasks"],
    [1, 200, "HEAD", "/tasks"],
    [1, 201, "POST", "/tasks", { title: "t" }],
    [1, 400, "POST", "/tasks", "{"],
    [1, 403, "GET", "/sync"],
    [1, 403, "PATCH", "/tasks/t", { deleted_at: null }],
    [1, 404, "GET", "/tasks/none"],
    [1, 422, "GET", "/tasks?limit=0"],
    [1, 413, "POST", "/tasks", " ".repeat(1024 * 1024 + 1)],
    [0, 404, "GET", "/nothing"],
    [0, 405, "DELETE", "/tasks"],
    [0, 405, "PUT", "/nothing"],
    [0, 405, "PATCH", "/projects"],
    [0, 204, "OPTIONS", "/tasks"],
  ];
  for (const [taken, status, method, path, body] of asks) {
    const before = await count();
    const answer = await call(method, path, { token, body });
    expect([method, path, answer.status]).toEqual([method, path, status]);
    expect([method, path, (await count()) - before]).toEqual([method, path, taken]);
  }
});

test("Over the limit a DELETE is still 405, an unknown path 404, OPTIONS 204", async () => {
  const token = await (await newcomer(server)).key();
  await burst(token, 60);
  expectRefusal(await call("DELETE", "/tasks/t", { token }), 405, SAYS.never("DELETE"));
  expectRefusal(await call("PUT", "/nothing", { token }), 405, SAYS.never("PUT"));
  const nothing = "There is nothing at /api/public/v1/nothing.";
  expectRefusal(await call("GET", "/nothing", { token }), 404, nothing);
  expect((await call("OPTIONS", "/tasks", { token })).status).toBe(204);
  expectWait(await me(token), 60);
});

test("Two keys of one account do not use up each other's tokens", async () => {
  const ann = await newcomer(server);
  const [first, second] = [await ann.key(), await ann.key()];
  await burst(first, 60);
  expectWait(await me(first), 60);
  expect(quotas(await me(second)).left).toBe(left([59, 60], [599, 3600]));
});

test("Setting the wall clock back or forward neither gives nor takes tokens", async () => {
  const moved = await startServer({ clock: testClock() });
  const token = await (await newcomer(moved)).key();
  await burst(token, 60, moved);
  for (const by of [-HOUR, HOUR]) {
    moved.clock.set(moved.clock.wall() + by);
    expectWait(await me(token, moved), 60);
  }
  moved.clock.advance(MINUTE);
  expect(new Set(await burst(token, 60, moved))).toEqual(new Set([200]));
  await moved.stop();
});

test.each([
  ["as it was", 0, 50],
  ["set back an hour", -HOUR, 60],
])("A restart gives no key new tokens, with the wall clock %s", async (_name, by, seconds) => {
  const first = await startServer();
  const token = await (await newcomer(first)).key();
  await burst(token, 45, first);
  // Calls that took no token before the restart take none after it.
  await Promise.all(Array.from({ length: 30 }, () => first.call("DELETE", "/me", { token })));
  first.clock.advance(10 * SECOND);
  await burst(token, 15, first);
  expect((await me(token, first)).status).toBe(429);
  await first.stop();

  first.clock.set(first.clock.wall() + by);
  const second = await startServer({ directory: first.directory, clock: first.clock });
  expectWait(await me(token, second), seconds);
  second.clock.advance(seconds * SECOND - 1);
  expectWait(await me(token, second), 1);
  second.clock.advance(1);
  expect((await me(token, second)).status).toBe(200);
  await second.stop();
});

test("Both limits can be set", async () => {
  const strict = await startServer({ limits: { perMinute: 2, perHour: 3 } });
  const token = await (await newcomer(strict)).key();
  expect((await burst(token, 3, strict)).toSorted()).toEqual([200, 200, 429]);
  strict.clock.advance(MINUTE);
  const last = await me(token, strict);
  expect(quotas(last)).toEqual({
    policy: '"minute";q=2;w=60, "hour";q=3;w=3600',
    left: left([1, 60], [0, 3540]),
  });
  const error = "This key may make 2 requests a minute and 3 an hour. Try again in 3540 s.";
  expectRefusal(await me(token, strict), 429, error);
  await strict.stop();
});
