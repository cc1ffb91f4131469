import { expect, test } from "bun:test";
import { listActivity } from "../../src/db/calls/activity.ts";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import type { CallOptions, Person } from "../support/server.ts";
import { change, newcomer, sharedServer, V1 } from "../support/replies.ts";

const server = await sharedServer();
const { call, clock, store } = server;
const TABS = [{ url: "https://a.example/" }];

/** What the account page shows of a person's calls, oldest first. */
const activityOf = async ({ account }: Person) => {
  const rows = await listActivity(store, null, 10_000);
  return rows.filter(({ accountId }) => accountId === account.id).toReversed();
};

/** The parts of a row that a test compares. */
const brief = async (person: Person): Promise<unknown[][]> =>
  (await activityOf(person)).map((row) => {
    const { method, route, status, count, touched, tookToken } = row;
    return [method, route, status, count, touched, tookToken];
  });

/** A person with a key called bot, and a task `t` from their device. */
const withKey = async (scopes?: readonly ("read" | "write")[]) => {
  const ann = await newcomer(server);
  const body = [change("sync_tasks", "t", { title: "t" })];
  await call("POST", "/sync", { token: ann.session, body });
  return { ann, token: await ann.key(scopes) };
};

test("A call is listed with its time, key, method, route, status, record and client", async () => {
  const { ann, token } = await withKey();
  const headers = { "user-agent": "scout/1.2 (linux)" };
  await call("GET", "/tasks/t?", { token, headers });
  const [key] = await listKeys(store, ann.account.id);
  expect(await activityOf(ann)).toEqual([
    {
      id: expect.any(Number) as number,
      accountId: ann.account.id,
      keyId: key?.id ?? "",
      keyName: "bot",
      at: clock.wall(),
      method: "GET",
      route: `${V1}/tasks/{id}`,
      status: 200,
      touched: "task:t",
      client: "scout/1.2 (linux)",
      tookToken: 1,
      count: 1,
      dryRun: 0,
      tool: null,
    },
  ]);
  expect(key?.lastUsedAt).toBe(clock.wall());
});

test("Every call is listed once, with the record that it read or changed", async () => {
  const { ann, token } = await withKey();
  const ask = async (method: string, path: string, body?: unknown) =>
    (await call(method, path, { token, body })).json;
  await ask("GET", "/me");
  await ask("GET", "/entitlement");
  await ask("GET", "/tasks");
  const made = await ask("POST", "/tasks", { title: "t" });
  await ask("GET", "/tasks/t");
  await ask("HEAD", "/tasks/t");
  await ask("PATCH", "/tasks/t", { title: "u" });
  await ask("PATCH", "/tasks/t", {});
  await ask("POST", "/tasks/t/tabs", TABS);
  await ask("POST", "/tasks/t/notes", { text: "n" });
  const inbox = await ask("POST", "/inbox/tabs", TABS);
  await ask("GET", "/projects");
  const folder = await ask("POST", "/projects", { name: "n" });
  expect(await brief(ann)).toEqual([
    ["GET", `${V1}/me`, 200, 1, null, 1],
    ["GET", `${V1}/entitlement`, 200, 1, null, 1],
    ["GET", `${V1}/tasks`, 200, 1, null, 1],
    ["POST", `${V1}/tasks`, 201, 1, `task:${made.id}`, 1],
    ["GET", `${V1}/tasks/{id}`, 200, 1, "task:t", 1],
    ["HEAD", `${V1}/tasks/{id}`, 200, 1, "task:t", 1],
    ["PATCH", `${V1}/tasks/{id}`, 200, 1, "task:t", 1],
    ["PATCH", `${V1}/tasks/{id}`, 200, 1, "task:t", 1],
    ["POST", `${V1}/tasks/{id}/tabs`, 201, 1, "task:t", 1],
    ["POST", `${V1}/tasks/{id}/notes`, 201, 1, "task:t", 1],
    ["POST", `${V1}/inbox/tabs`, 201, 1, `task:${inbox.task.id}`, 1],
    ["GET", `${V1}/projects`, 200, 1, null, 1],
    ["POST", `${V1}/projects`, 201, 1, `folder:${folder.id}`, 1],
  ]);
});

test("A call that was admitted and then refused has a row of its own, and took a token", async () => {
  const { ann, token } = await withKey();
  const asks: readonly (readonly [string, string, CallOptions])[] = [
    ["GET", "/sync", {}],
    ["POST", "/sync", { body: [] }],
    ["PATCH", "/tasks/t", { body: { deleted_at: null } }],
    ["PATCH", "/tasks/t", { body: { bucket_id: "trash" } }],
    ["GET", "/tasks/none", {}],
    ["POST", "/tasks/none/notes", { body: { text: "n" } }],
    ["GET", "/tasks?limit=0", {}],
    ["POST", "/tasks", { body: {} }],
    ["POST", "/tasks", { body: { title: "t", folder: "none" } }],
    ["POST", "/tasks", { body: "{" }],
    ["POST", "/tasks", { body: "x", headers: { "content-type": "text/plain" } }],
    ["POST", "/tasks", { body: " ".repeat(1024 * 1024 + 1) }],
    ["PATCH", "/tasks/t", { body: { title: "u" }, headers: { "if-match": '"x"' } }],
  ];
  for (const [method, path, options] of asks) await call(method, path, { token, ...options });
  expect(await brief(ann)).toEqual([
    ["GET", `${V1}/sync`, 403, 1, null, 1],
    ["POST", `${V1}/sync`, 403, 1, null, 1],
    ["PATCH", `${V1}/tasks/{id}`, 403, 1, "task:t", 1],
    ["PATCH", `${V1}/tasks/{id}`, 403, 1, "task:t", 1],
    ["GET", `${V1}/tasks/{id}`, 404, 1, "task:none", 1],
    ["POST", `${V1}/tasks/{id}/notes`, 404, 1, "task:none", 1],
    ["GET", `${V1}/tasks`, 422, 1, null, 1],
    ["POST", `${V1}/tasks`, 422, 1, null, 1],
    ["POST", `${V1}/tasks`, 422, 1, null, 1],
    ["POST", `${V1}/tasks`, 400, 1, null, 1],
    ["POST", `${V1}/tasks`, 415, 1, null, 1],
    ["POST", `${V1}/tasks`, 413, 1, null, 1],
    ["PATCH", `${V1}/tasks/{id}`, 412, 1, "task:t", 1],
  ]);
});

test("A call without the scope is listed, without the record that was not read", async () => {
  const { ann, token } = await withKey(["read"]);
  await call("PATCH", "/tasks/t", { token, body: {} });
  expect(await brief(ann)).toEqual([["PATCH", `${V1}/tasks/{id}`, 403, 1, null, 1]]);
});

test("Calls refused before or by the limiter share a row with a count", async () => {
  const { ann, token } = await withKey();
  // Starts at the beginning of a minute, so that everything falls into one.
  clock.advance(MINUTE - (clock.wall() % MINUTE));
  await Promise.all(Array.from({ length: 60 }, () => call("GET", "/me", { token })));
  const evil = { host: "evil.example" };
  const refused: readonly (readonly [number, string, string, CallOptions])[] = [
    [3, "GET", "/me", {}],
    [2, "GET", "/tasks/t", {}],
    [4, "GET", "/nothing", {}],
    [1, "GET", "/nothing/else", {}],
    [2, "DELETE", "/tasks/t", {}],
    [1, "DELETE", "/nothing", {}],
    [2, "PUT", "/tasks/t", {}],
    [2, "PATCH", "/me", {}],
    [2, "GET", "/tasks", { headers: evil }],
  ];
  for (const [times, method, path, options] of refused) {
    for (let n = 0; n < times; n++) {
      await call(method, path, { token, ...options });
      clock.advance(SECOND);
    }
  }
  await call("OPTIONS", "/tasks", { token });
  const rows = (await brief(ann)).filter(([, , status]) => status !== 200);
  expect(rows.toSorted()).toEqual(
    [
      ["GET", `${V1}/me`, 429, 3, null, 0],
      ["GET", `${V1}/tasks/{id}`, 429, 2, null, 0],
      ["GET", "*", 404, 5, null, 0],
      ["DELETE", `${V1}/tasks/{id}`, 405, 2, null, 0],
      ["DELETE", "*", 405, 1, null, 0],
      ["PUT", `${V1}/tasks/{id}`, 405, 2, null, 0],
      ["PATCH", `${V1}/me`, 405, 2, null, 0],
      ["GET", `${V1}/tasks`, 421, 2, null, 0],
    ].toSorted(),
  );
  // The next minute gets new rows, each with the time of its last call.
  clock.advance(MINUTE - 19 * SECOND);
  await call("DELETE", "/tasks/t", { token });
  const last = (await activityOf(ann)).at(-1);
  expect([last?.method, last?.count, last?.at]).toEqual(["DELETE", 1, clock.wall()]);
});

test("200 calls at once become 60 rows and one more that counts 140", async () => {
  const { ann, token } = await withKey();
  clock.advance(MINUTE - (clock.wall() % MINUTE));
  await Promise.all(Array.from({ length: 200 }, () => call("GET", "/tasks", { token })));
  const rows = await brief(ann);
  expect(rows.filter(([, , status]) => status === 200)).toHaveLength(60);
  expect(rows.filter(([, , status]) => status !== 200)).toEqual([
    ["GET", `${V1}/tasks`, 429, 140, null, 0],
  ]);
});

test("Calls of sessions, strangers and revoked keys are not listed", async () => {
  const { ann, token } = await withKey();
  const before = (await listActivity(store, null, 10_000)).length;
  for (const credential of [ann.session, undefined, `${token.slice(0, -1)}?`, "x"]) {
    await call("GET", "/me", { token: credential });
    await call("DELETE", "/tasks/t", { token: credential });
    await call("GET", "/nothing", { token: credential });
  }
  expect(await listActivity(store, null, 10_000)).toHaveLength(before);
});

test("A row is stored before its reply is sent", async () => {
  const { ann, token } = await withKey();
  for (let n = 1; n <= 20; n++) {
    await call(n % 2 === 0 ? "POST" : "GET", "/tasks", {
      token,
      body: n % 2 === 0 ? { title: "t" } : undefined,
    });
    expect(await activityOf(ann)).toHaveLength(n);
  }
});
