import { expect, test } from "bun:test";
import { listActivity } from "../../src/db/calls/activity.ts";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import { expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { agent, calling, lastCalls, message } from "../support/mcp/agent.ts";

const server = await sharedServer();

const someone = async (on: TestServer = server) => {
  const ann = await newcomer(on);
  const token = await ann.key();
  return { ann, token, bot: agent(on, token) };
};

test.each<[string, Record<string, string>, string]>([
  ["none", {}, ""],
  ["one in the query", {}, "?access_token=TOKEN&token=TOKEN&api_key=TOKEN"],
  ["one in a cookie", { cookie: "token=TOKEN; docket=TOKEN" }, ""],
  ["one in another header", { "x-api-key": "TOKEN", "mcp-session-id": "TOKEN" }, ""],
])("A credential is needed: %s does not count", async (_name, headers, query) => {
  const { token } = await someone();
  const put = (text: string) => text.replaceAll("TOKEN", token);
  const answer = await server.call("POST", `!/mcp${put(query)}`, {
    body: message("ping"),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, put(text)])),
  });
  expectRefusal(answer, 401, SAYS.credential);
  expect(answer.headers.get("www-authenticate")).toBe(`Bearer realm="docket"${WHERE}`);
});

/** Where a program can get a credential. */
const WHERE = `, resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="read write"`;

test.each([
  "Basic TOKEN",
  "Bearer",
  "Bearer TOKENx",
  "Bearer TOKEN, Bearer TOKEN",
  "TOKEN",
  "Token TOKEN",
])("%s is not valid", async (authorization) => {
  const { token } = await someone();
  const headers = { authorization: authorization.replaceAll("TOKEN", token) };
  const answer = await server.call("POST", "!/mcp", { body: message("ping"), headers });
  expectRefusal(answer, 401, SAYS.badCredential);
  expect(answer.headers.get("www-authenticate")).toBe(
    `Bearer realm="docket", error="invalid_token"${WHERE}`,
  );
});

test("A revoked key is refused at its next message", async () => {
  const { ann, bot } = await someone();
  expect((await bot.ask("ping")).status).toBe(200);
  const [key] = await listKeys(server.store, ann.account.id);
  await revokeKey(server.store, null, key?.id ?? "", server.clock.wall());
  for (const body of [message("ping"), calling("list_folders", {})])
    expectRefusal(await bot.post(body), 401, SAYS.badCredential);
});

const HELLO = message("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "c", version: "1" },
});

test("Every message takes a token and leaves a row, whatever its outcome", async () => {
  const { bot } = await someone();
  const messages: readonly (readonly [unknown, string | null, number])[] = [
    [HELLO, "initialize", 200],
    [calling("list_folders", {}), "list_folders", 200],
    [calling("add_task", { title: "t" }), "add_task", 200],
    [calling("add_task", {}), "add_task", 422],
    [calling("read_task", { task_id: "none" }), "read_task", 404],
    [calling("delete_task", { id: "none" }), "other", 404],
    [message("tasks/delete"), "other", 404],
    ["{", null, 400],
    ["[]", null, 400],
  ];
  for (const [at, [body, tool, status]] of messages.entries()) {
    const { headers } = await bot.post(body);
    const left = /"minute";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
    expect([tool, left]).toEqual([tool, String(59 - at)]);
    expect((await lastCalls(server, 1))[0]?.slice(0, 3)).toEqual(["POST /mcp", tool, status]);
  }
  expect((await lastCalls(server, messages.length)).map(([, , status]) => status)).toEqual(
    messages.map(([, , status]) => status),
  );
});

test("A handshake is one row per minute, and each of its messages takes a token", async () => {
  const { ann, token, bot } = await someone();
  const connect = async (): Promise<void> => {
    expect((await bot.post(HELLO)).status).toBe(200);
    const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await bot.post(ready)).status).toBe(202);
    expect((await server.call("GET", "!/mcp", { token })).status).toBe(405);
    for (const method of ["ping", "tools/list"]) expect((await bot.ask(method)).status).toBe(200);
  };
  server.clock.advance(MINUTE - (server.clock.wall() % MINUTE));
  await connect();
  await connect();
  const [key] = await listKeys(server.store, ann.account.id);
  const rows = () => listActivity(server.store, key?.id ?? "", 10);
  const shared = { method: "POST", route: "/mcp", status: 200, tool: "initialize" };
  expect(await rows()).toEqual([expect.objectContaining({ ...shared, count: 10 })]);
  const { headers } = await bot.post(calling("list_folders", {}));
  expect(headers.get("ratelimit")).toStartWith('"minute";r=51;');
  server.clock.advance(MINUTE);
  await connect();
  expect((await rows()).map(({ count }) => count)).toEqual([5, 1, 10]);
});

test("Of 200 calls at once 60 are admitted, and the others share one row", async () => {
  const { ann, bot } = await someone();
  server.clock.advance(MINUTE - (server.clock.wall() % MINUTE));
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => bot.post(calling("add_task", { title: "t" }))),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(140);
  for (const answer of refused) {
    expectRefusal(answer, 429, SAYS.wait(60));
    expect(answer.headers.get("retry-after")).toBe("60");
  }
  const { tasks } = (await server.call("GET", "/tasks?limit=200", { token: ann.session })).json;
  expect(tasks).toHaveLength(60);
  expect(await countsOf(ann.account.id)).toEqual([...Array.from({ length: 60 }, () => 1), 140]);
});

/** How many calls each row of an account's key stands for, fewest first. */
const countsOf = async (accountId: number) => {
  const [key] = await listKeys(server.store, accountId);
  const rows = await listActivity(server.store, key?.id ?? "", 1_000);
  return rows.map(({ count }) => count).toSorted((one, other) => one - other);
};

test("REST and tools share one limit", async () => {
  const { token, bot } = await someone();
  for (let call = 0; call < 30; call++) {
    expect((await server.call("GET", "/me", { token })).status).toBe(200);
    expect((await bot.ask("ping")).status).toBe(200);
  }
  expectRefusal(await bot.ask("ping"), 429, SAYS.wait(60));
  expectRefusal(await server.call("GET", "/me", { token }), 429, SAYS.wait(60));
  server.clock.advance(59 * SECOND);
  expectRefusal(await bot.ask("ping"), 429, SAYS.wait(1));
  server.clock.advance(SECOND);
  expect((await bot.ask("ping")).status).toBe(200);
});

test("A restart gives no new tokens", async () => {
  const first = await startServer();
  const { directory, clock } = first;
  const { token, bot } = await someone(first);
  for (let call = 0; call < 60; call++) await bot.ask("ping");
  await first.stop();
  clock.advance(10 * SECOND);
  const second = await startServer({ directory, clock });
  const again = agent(second, token);
  expectRefusal(await again.ask("ping"), 429, SAYS.wait(50));
  clock.advance(50 * SECOND);
  expect((await again.ask("ping")).status).toBe(200);
  await second.stop();
});

test("A call over the limit is refused before its message is read", async () => {
  const { bot } = await someone();
  for (let call = 0; call < 60; call++) await bot.ask("ping");
  for (const body of ["{", "[]", calling("add_task", { title: "t" }), " ".repeat(2 ** 21)])
    expectRefusal(await bot.post(body), 429, SAYS.wait(60));
  const refused = (await lastCalls(server, 61)).filter(([, , status]) => status === 429);
  expect(refused).toEqual([["POST /mcp", null, 429, null]]);
});
