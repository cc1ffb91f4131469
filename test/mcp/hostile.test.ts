import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import type { Answer, CallOptions } from "../support/server.ts";
import { exchange, head } from "../support/socket.ts";
import { agent, calling, dumpOf, lastCalls, message } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const ann = await newcomer(server);
const token = await ann.key();
const bot = agent(server, token);
await server.call("POST", "/sync", {
  token: ann.session,
  body: [
    change("sync_tasks", "t", { title: "t", pages: [{ id: "p", url: "https://a.example/" }] }),
    change("sync_projects", "work", { name: "Work" }),
  ],
});

/** Checks that an attempt changes nothing, fails nowhere, and that the server goes on. */
const harmless = async (attempt: () => Promise<Answer>): Promise<Answer> => {
  const before = dumpOf(server);
  const failed = server.logged.filter((line) => line.includes('"error"')).length;
  const answer = await attempt();
  expect(answer.status).toBeLessThan(500);
  expect(dumpOf(server)).toEqual(before);
  expect(server.logged.filter((line) => line.includes('"error"'))).toHaveLength(failed);
  expect(answer.text).not.toMatch(/sqlite|drizzle|elysia|zod|\.ts\b|node_modules/i);
  return answer;
};

const METHODS = ["DELETE", "PUT", "GET", "HEAD", "PATCH", "OPTIONS"];
const PATHS = ["/mcp", "/mcp/", "/mcp?_method=DELETE", "/mcp?delete=t"];

test.each(METHODS)("%s does nothing at /mcp", async (method) => {
  for (const path of PATHS) {
    const body = ["GET", "HEAD", "OPTIONS"].includes(method)
      ? undefined
      : calling("list_folders", {});
    const answer = await harmless(() => server.call(method, `!${path}`, { token, body }));
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    if (method === "OPTIONS") expect([answer.status, answer.text]).toEqual([204, ""]);
    else if (method === "HEAD") expect(answer.status).toBe(405);
    else if (method === "DELETE" || method === "PUT")
      expectRefusal(answer, 405, SAYS.never(method));
    else
      expectRefusal(
        answer,
        405,
        `${method} is not allowed on this path. Use one of: POST, OPTIONS.`,
      );
  }
});

test.each([
  "/mcp/t",
  "/mcp/tasks/t",
  "/%6dcp",
  "/mcp%2f",
  "/MCP",
  "/mcp//",
  "/mcp/../mcp/x",
  "/mcp;x",
])("There is nothing at %s, with any method", async (path) => {
  for (const method of ["POST", "DELETE"]) {
    const answer = await harmless(() =>
      server.call(method, `!${path}`, {
        token,
        body: calling("change_tasks", { task_ids: ["t"], title: "u" }),
      }),
    );
    expect(answer.status).toBe(method === "DELETE" ? 405 : 404);
    expect(Object.keys(answer.json)).toEqual(["error"]);
  }
});

test.each(["DELETE", "PUT", "GET"])("No header turns a POST into a %s", async (method) => {
  const headers = {
    "x-http-method-override": method,
    "x-http-method": method,
    "x-method-override": method,
  };
  const answer = await harmless(() =>
    bot.post(calling("read_task", { task_id: "t" }), { headers }),
  );
  expect(answer.json.result.structuredContent.task.id).toBe("t");
});

const NO_TOOL = `There is no such tool. The tools are ${[
  "find_tasks",
  "read_task",
  "add_task",
  "file_tabs",
  "move_tabs",
  "write_note",
  "change_tasks",
  "find_changes",
  "claim_task",
  "release_task",
  "list_folders",
  "add_folder",
].join(", ")}.`;

test.each([
  "delete_task",
  "remove_task",
  "trash_task",
  "delete",
  "tasks/delete",
  "DELETE /tasks/t",
  "sync",
  "add_task ",
  "ADD_TASK",
  "add_task\0",
  "__proto__",
  "constructor",
  "toString",
  "",
  "\ud800",
])("There is no tool %j", async (name) => {
  const answer = await harmless(() => bot.post(calling(name, { id: "t", deleted_at: "now" })));
  expect([answer.status, answer.json]).toEqual([
    200,
    { jsonrpc: "2.0", id: 1, error: { code: -32_602, message: NO_TOOL } },
  ]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "other", 404, null]]);
});

test.each([
  "tasks/delete",
  "tasks/cancel",
  "tasks/get",
  "tasks/list",
  "task/delete",
  "tools/delete",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "resources/subscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "roots/list",
  "sampling/createMessage",
  "elicitation/create",
  "__proto__",
  "constructor",
  "\u202e",
  "",
])("There is no method %j", async (method) => {
  const answer = await harmless(() => bot.ask(method, { id: "t", name: "change_tasks", uri: "t" }));
  expect([answer.status, answer.json]).toEqual([
    200,
    { jsonrpc: "2.0", id: 1, error: { code: -32_601, message: "Method not found" } },
  ]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "other", 404, null]]);
});

test("There are no subscriptions, which would stay open", async () => {
  const answer = await harmless(() => bot.ask("subscriptions/listen", { notifications: {} }));
  const says = "This server has no subscriptions. Call find_changes to see what has changed.";
  expect([answer.status, answer.json]).toEqual([
    404,
    { jsonrpc: "2.0", id: 1, error: { code: -32_601, message: says } },
  ]);
});

/** Names of types that they never have. For arguments, see tidy.test.ts. */
test.each([
  ["a name that is an object", { name: { add_task: 1 }, arguments: { title: "t" } }, "other"],
  ["a name that is a list", { name: ["add_task"], arguments: { title: "t" } }, "other"],
  ["no name", { arguments: { title: "t" } }, "other"],
  ["no parameters", undefined, "other"],
])("A call with %s is malformed", async (_name, params, tool) => {
  const answer = await harmless(() => bot.ask("tools/call", params));
  expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([200, -32_602, 1]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", tool, 422, null]]);
});

const ADD = { name: "add_task", arguments: { title: "ghost" } };

test.each([
  ["text", '"tools/call"'],
  ["a number", "7"],
  ["null", "null"],
  ["nothing in it", "{}"],
  ["no version", JSON.stringify({ id: 1, method: "tools/call", params: ADD })],
  ["another version", JSON.stringify({ ...message("tools/call", ADD), jsonrpc: "1.0" })],
  ["an object as id", JSON.stringify(message("tools/call", ADD, {}))],
  ["null as id", JSON.stringify(message("tools/call", ADD, null))],
  ["a fraction as id", JSON.stringify(message("tools/call", ADD, 0.5))],
  ["a huge id", JSON.stringify(message("tools/call", ADD, 1e300))],
  ["an endless id", '{"jsonrpc":"2.0","id":1e400,"method":"tools/call"}'],
  ["parameters in a list", JSON.stringify(message("tools/call", [ADD]))],
  ["a method that is a list", JSON.stringify({ ...message("x"), method: ["tools/call"] })],
])("A message with %s is malformed", async (_name, body) => {
  const answer = await harmless(() => bot.post(body));
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ jsonrpc: "2.0", error: { code: -32_600 } });
  expect(answer.json).not.toHaveProperty("result");
});

test.each([
  ["a notification", { jsonrpc: "2.0", method: "tools/call", params: ADD }],
  ["a reply to no request", { jsonrpc: "2.0", id: 1, result: { content: [] } }],
  [
    "a cancellation",
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
  ],
  [
    "an unknown event",
    { jsonrpc: "2.0", method: "notifications/tasks/delete", params: { id: "t" } },
  ],
])("%s is ignored", async (_name, body) => {
  const answer = await harmless(() => bot.post(body));
  expect([answer.status, answer.text]).toEqual([202, ""]);
  expect(await lastCalls(server, 1)).toEqual([["POST /mcp", "other", 202, null]]);
});

const BATCH = "Send one message at a time. Batches are not supported.";
const NO_JSON = "The body is not valid JSON.";
const TYPE = "Send the body as JSON, with Content-Type: application/json.";
const CALL = JSON.stringify(calling("add_task", { title: "ghost" }));
const nested = (open: string, close: string, levels: number) =>
  open.repeat(levels) + close.repeat(levels);

/** Bodies that are refused before they are read as a message, as on every route. */
const BODIES: readonly (readonly [
  string,
  Uint8Array | string,
  number,
  string,
  CallOptions["headers"]?,
])[] = [
  ["a batch", `[${CALL},${CALL}]`, 400, BATCH],
  ["an empty batch", "[]", 400, BATCH],
  ["nothing", "", 400, "The body is empty. Send JSON."],
  ["text that is not JSON", "{", 400, NO_JSON],
  ["invalid UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400, "The body is not valid UTF-8."],
  [
    "a deeply nested value",
    nested("[", "]", 100_000),
    400,
    "The body must not be nested more than 64 levels deep.",
  ],
  [
    "deeply nested arguments",
    CALL.replace('"ghost"', nested('{"a":', "}", 60_000).replace("}", "1}")),
    400,
    "The body must not be nested more than 64 levels deep.",
  ],
  [
    "many values",
    `[${"1,".repeat(5_000)}1]`,
    413,
    "The body must contain at most 5000 values. Send less at a time.",
  ],
  ["1 MiB and one byte", " ".repeat(1024 * 1024 + 1), 413, "The message must be at most 1 MiB."],
  ["plain text", CALL, 415, TYPE, { "content-type": "text/plain" }],
  ["a form", CALL, 415, TYPE, { "content-type": "application/x-www-form-urlencoded" }],
  ["a multipart form", CALL, 415, TYPE, { "content-type": "multipart/form-data; boundary=x" }],
  [
    "another charset",
    CALL,
    415,
    "Send the body in UTF-8.",
    { "content-type": "application/json; charset=utf-16" },
  ],
  [
    "compressed",
    gzipSync(CALL),
    415,
    "Send the body without Content-Encoding.",
    { "content-encoding": "gzip" },
  ],
];

test.each(BODIES)("A body of %s is refused", async (_name, body, status, says, headers = {}) => {
  const answer = await harmless(() => bot.post(body, { headers }));
  expectRefusal(answer, status, says);
});

test("Of two equal names the last one counts, and no name reaches into objects", async () => {
  const twice = `{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"tools/list","params":${JSON.stringify(ADD)}}`;
  expect((await harmless(() => bot.post(twice))).json.result.tools).toHaveLength(12);
  for (const name of ["__proto__", "constructor", "prototype"]) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"change_tasks","arguments":{"id":"t","${name}":{"title":"u","deleted_at":1}}}}`;
    const { json } = await harmless(() => bot.post(body));
    expect(json.result.isError).toBe(true);
  }
  const outer = `{"__proto__":{"method":"tools/call"},"jsonrpc":"2.0","id":1,"params":${JSON.stringify(ADD)}}`;
  await harmless(() => bot.post(outer));
  expect(({} as Record<string, unknown>)["title"]).toBeUndefined();
});

test("Many bad arguments are refused, and described in few words", async () => {
  const bad = Array.from({ length: 1_000 }, () => ({ url: 1, title: {} }));
  for (const args of [
    { title: "t", tabs: bad },
    { title: "t", tabs: bad.slice(0, 100) },
    { title: "t", notes: bad },
    Object.fromEntries(bad.map((_, at) => [`n${at}`, at])),
    { title: "x".repeat(900_000) },
    { title: "t", idempotency_key: " ".repeat(900_000) },
    { title: "t", status: "\u0001".repeat(100_000) },
  ]) {
    const { json } = await harmless(() => bot.post(calling("add_task", args)));
    expect(json.result.isError).toBe(true);
    expect(json.result.content[0].text.length).toBeLessThan(500);
  }
});

test("Half a message, and a message that never ends, leave the server as it was", async () => {
  const before = dumpOf(server);
  const fields = [
    "Host: localhost",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
  ];
  const cut = await exchange(server.url, [
    head("POST /mcp", ...fields, "Content-Length: 10", "Connection: close"),
    CALL.slice(0, 10),
  ]);
  expect(cut.status).toBe(400);
  const stranger = await exchange(server.url, [
    head("POST /mcp", "Host: localhost", "Content-Length: 1000000"),
    "{",
  ]);
  expect(stranger.status).toBe(401);
  expect(dumpOf(server)).toEqual(before);
  expect((await bot.does("list_folders")).next).toBeNull();
});
