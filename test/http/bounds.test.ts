import { expect, test } from "bun:test";
import { setPlan } from "../../src/db/people/accounts.ts";
import { listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import type { Person } from "../support/server.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import { exchange } from "../support/socket.ts";

const server = await sharedServer({ hosts: ["nas", "a"] });
const { call, clock, store } = server;

test.each(["a", "nas", "nas:3625", "localhost"])(
  "Every path works under the host name %s",
  async (host) => {
    const { session } = await newcomer(server);
    const head = `GET /api/public/v1/tasks?limit=1 HTTP/1.1\r\nHost: ${host}\r\n`;
    const { status, body } = await exchange(server.url, [
      `${head}Authorization: Bearer ${session}\r\n\r\n`,
    ]);
    expect([status, JSON.parse(body)]).toMatchObject([200, { tasks: [] }]);
  },
);

/**
 * Sends a task with a new key of ann's. `meanwhile` changes the key or the account while the body
 * arrives.
 */
const interrupted = async (ann: Person, meanwhile: () => Promise<unknown>) => {
  const token = await ann.key();
  const body = JSON.stringify({ title: "too late" });
  const parts = async function* () {
    yield `POST /api/public/v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
    yield `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`;
    // Once the call has taken its token, it is admitted and waits for the rest of its body.
    while (taken(await remaining(token)) < 1) await Bun.sleep(1);
    await meanwhile();
    yield body.slice(5);
  };
  const { status } = await exchange(server.url, parts());
  const { json } = await call("GET", "/tasks", { token: ann.session });
  return { status, tasks: json.tasks as unknown };
};

test("A key that is revoked while its body arrives writes nothing", async () => {
  const ann = await newcomer(server);
  const revoke = async () => {
    const [key] = await listKeys(store, ann.account.id);
    return revokeKey(store, null, key?.id ?? "", clock.wall());
  };
  expect(await interrupted(ann, revoke)).toEqual({ status: 401, tasks: [] });
});

test("A key whose account loses Pro while its body arrives writes nothing", async () => {
  const ann = await newcomer(server);
  const free = { plan: "free", until: null, source: null } as const;
  const lapse = () => setPlan(store, ann.account.email, free, clock.wall());
  expect(await interrupted(ann, lapse)).toEqual({ status: 403, tasks: [] });
});

/** The key's rate-limit header, from a path that takes no token. */
const remaining = async (token: string): Promise<string> =>
  (await call("GET", "/nowhere", { token })).headers.get("ratelimit") ?? "";

const taken = (header: string): number => 60 - Number(/"minute";r=(\d+)/.exec(header)?.[1]);

test("A record that is too large is refused for its size, and the others are applied", async () => {
  const { session: token } = await newcomer(server);
  const zeros = `{"table":"sync_tasks","id":"z","updated_at":"2026-03-04T12:00:00Z","payload":{"x":[${"0,".repeat(400_000)}0]}}`;
  const body = `[${zeros},${JSON.stringify(change("sync_tasks", "t1", { title: "kept" }))}]`;
  const { json } = await call("POST", "/sync", { token, body });
  expect(json).toEqual({
    applied: 1,
    rejected: [],
    merged: [],
    invalid: [
      {
        index: 0,
        table: "sync_tasks",
        id: "z",
        error:
          "payload must have at most 50000 values, but has 400003. A stored one that has more may only become smaller.",
      },
    ],
  });
});

test("Many stale records come back with their winning rows, which are larger than the push", async () => {
  const { session: token } = await newcomer(server);
  const title = "x".repeat(300_000);
  const kept = change("sync_tasks", "t1", { title });
  await call("POST", "/sync", { token, body: [kept] });
  const stale = { ...kept, updated_at: "2020-01-01T00:00:00Z", payload: {} };
  const body = Array.from({ length: 20 }, () => stale);
  const { json } = await call("POST", "/sync", { token, body });
  expect(json.applied).toBe(0);
  expect(json.rejected).toHaveLength(20);
  for (const rejected of json.rejected)
    expect(rejected).toMatchObject({
      id: "t1",
      reason: "stale",
      server_row: { payload: { title } },
    });
});

test("One pull returns small rows and rows of 1 MiB exactly as they were pushed", async () => {
  const { session: token } = await newcomer(server);
  const titles = Array.from(
    { length: 40 },
    (_, at) => "x".repeat(at % 4 === 0 ? 1_000_000 : 10) + at,
  );
  for (const [at, title] of titles.entries())
    await call("POST", "/sync", { token, body: [change("sync_tasks", `t${at}`, { title })] });
  const { json } = await call("GET", "/sync", { token });
  const pulled = json.changes.sync_tasks.map(
    (row: { payload: { title: string } }) => row.payload.title,
  );
  expect(pulled).toEqual(titles);
});
