import { afterAll, expect, test } from "bun:test";
import { createTask } from "../../src/db/records/edits.ts";
import { SOMEONE } from "../../src/domain/people/account.ts";
import { revokeToken } from "../../src/db/people/sessions.ts";
import { startServer, testClock } from "../support/server.ts";
import { expectRefusal } from "../support/replies.ts";

const server = await startServer({ clock: testClock() });
afterAll(() => server.stop());

let people = 0;

const newcomer = async () => {
  const person = await server.person(`ann${(people += 1)}@example.org`);
  const { session: token } = person;
  const since = (await server.call("GET", "/sync", { token })).json.server_time as string;
  const wait = (seconds: number | string, more = "") =>
    server.call("GET", `/sync?since=${since}&wait=${seconds}${more}`, { token });
  return { ...person, token, since, wait };
};

const timed = async <T>(job: Promise<T>): Promise<readonly [ms: number, value: T]> => {
  const began = performance.now();
  const value = await job;
  return [performance.now() - began, value];
};

const task = { title: "Filed while a device waits" };

test("a pull with nothing new waits as long as it asks to, and is then answered as always", async () => {
  const { wait } = await newcomer();
  const [ms, { status, json }] = await timed(wait(1));
  expect(ms).toBeGreaterThanOrEqual(990);
  expect(status).toBe(200);
  expect(json.changes).toEqual({ sync_tasks: [], sync_projects: [], sync_buckets: [] });
  expect(json.has_more).toBe(false);
});

test("a pull that finds something is answered at once", async () => {
  const { wait, key } = await newcomer();
  server.clock.advance(1_000);
  await server.call("POST", "/tasks", { token: await key(), body: task });
  const [ms, { json }] = await timed(wait(25));
  expect(ms).toBeLessThan(5_000);
  expect(json.changes.sync_tasks).toMatchObject([{ payload: task }]);
});

test("without wait, and with 0, nothing waits", async () => {
  const { wait } = await newcomer();
  const [ms] = await timed(wait(0));
  expect(ms).toBeLessThan(900);
});

test("what an agent writes ends the wait", async () => {
  const { wait, key } = await newcomer();
  const token = await key();
  server.clock.advance(1_000);
  const waiting = timed(wait(25));
  await Bun.sleep(400);
  await server.call("POST", "/tasks", { token, body: task });
  const [ms, { json }] = await waiting;
  expect(ms).toBeLessThan(10_000);
  expect(json.changes.sync_tasks).toMatchObject([{ payload: task, created_by: "agent" }]);
});

test("what a command beside the server commits ends the wait", async () => {
  const { wait, account } = await newcomer();
  server.clock.advance(1_000);
  const waiting = timed(wait(25));
  await Bun.sleep(400);
  const by = { ...SOMEONE, restriction: null };
  const { store } = server;
  await store.transaction(account.id, server.clock.wall(), (tx) =>
    createTask(tx, { ...task, tabs: [], notes: [] }, by),
  );
  const [ms, { json }] = await waiting;
  expect(ms).toBeLessThan(10_000);
  expect(json.changes.sync_tasks).toHaveLength(1);
});

test("what happens in another account does not end the wait", async () => {
  const { wait } = await newcomer();
  const bob = await newcomer();
  const waiting = timed(wait(2));
  await Bun.sleep(300);
  await server.call("POST", "/tasks", { token: await bob.key(), body: task });
  const [ms, { json }] = await waiting;
  expect(ms).toBeGreaterThanOrEqual(1_990);
  expect(json.changes.sync_tasks).toEqual([]);
});

test("a session that ends while it waits is given nothing more", async () => {
  const { wait, key, token: session } = await newcomer();
  const token = await key();
  const waiting = wait(25);
  await Bun.sleep(300);
  await revokeToken(server.store, session, server.clock.wall());
  await server.call("POST", "/tasks", { token, body: task });
  expectRefusal(
    await waiting,
    401,
    "The credential is not valid. It may be mistyped, expired or revoked. Create a new key or sign in again.",
  );
});

test("20 calls of a session wait, and the 21st is refused; those of others still wait", async () => {
  const { wait, token } = await newcomer();
  const bob = await newcomer();
  const all = Array.from({ length: 20 }, () => wait(2));
  await Bun.sleep(500);
  const refused = await wait(2);
  expectRefusal(
    refused,
    429,
    "20 calls of this session are waiting for news already. Let them end first, or leave out wait.",
  );
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await server.call("GET", "/sync", { token })).status).toBe(200);
  expect((await bob.wait(1)).status).toBe(200);
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await wait(1)).status).toBe(200);
});

test("a client that hangs up is forgotten", async () => {
  const { token, since, wait } = await newcomer();
  const hangUp = new AbortController();
  const left = Array.from({ length: 20 }, () =>
    fetch(`${server.url}/api/public/v1/sync?since=${since}&wait=25`, {
      headers: { authorization: `Bearer ${token}` },
      signal: hangUp.signal,
    }).catch(() => "gone"),
  );
  await Bun.sleep(500);
  hangUp.abort();
  expect(await Promise.all(left)).toEqual(Array(20).fill("gone"));
  await Bun.sleep(200);
  expect((await wait(1)).status).toBe(200);
});

for (const seconds of ["26", "-1", "1.5", "x", "", "00", "1e1"])
  test(`wait=${seconds} is refused`, async () => {
    const { wait } = await newcomer();
    expectRefusal(
      await wait(seconds),
      422,
      "Query parameter wait must be a whole number from 0 to 25.",
    );
  });

test("HEAD does not wait", async () => {
  const { token, since } = await newcomer();
  const [ms] = await timed(server.call("HEAD", `/sync?since=${since}&wait=25`, { token }));
  expect(ms).toBeLessThan(5_000);
});

test("a stop answers the calls that wait at once, with an ordinary empty reply", async () => {
  const other = await startServer({ clock: testClock() });
  const { session: token } = await other.person();
  const since = (await other.call("GET", "/sync", { token })).json.server_time as string;
  const waiting = timed(other.call("GET", `/sync?since=${since}&wait=25`, { token }));
  await Bun.sleep(400);
  await other.stop();
  const [ms, { status, json }] = await waiting;
  expect(ms).toBeLessThan(5_000);
  expect(status).toBe(200);
  expect(json.changes).toEqual({ sync_tasks: [], sync_projects: [], sync_buckets: [] });
});
