import { expect, test } from "bun:test";
import { setPlan } from "../../src/db/people/accounts.ts";
import { type CallOptions, startServer } from "../support/server.ts";
import { change, expectRefusal, newcomer, SAYS, sharedServer, V1 } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;

const ann = await newcomer(server);
const bob = await newcomer(server, "bob");
await call("POST", "/sync", {
  token: ann.session,
  body: [change("sync_tasks", "t", { title: "t" })],
});
const free = await bob.key(["read"]);
const grant = { plan: "free", until: null, source: null } as const;
await setPlan(server.store, bob.account.email, grant, server.clock.wall());
const session = ann.session;
const reader = await ann.key(["read"]);
const writer = await ann.key(["write"]);
/** A key that has used up its minute and lacks the scope for most requests here. */
const overLimit = await ann.key(["read"]);
await Promise.all(Array.from({ length: 60 }, () => call("GET", "/me", { token: overLimit })));

const EVIL = { host: "evil.example" };
const TEXT = { "content-type": "text/plain" };
const HUGE = new Uint8Array(1024 * 1024 + 1).fill(0x20);
const BAD_UTF8 = new Uint8Array([0xff]);

const JSON_ONLY = "Send the body as JSON, with Content-Type: application/json.";
const TOO_LARGE = "The body must be at most 1 MiB.";
const NOT_UTF8 = "The body is not valid UTF-8.";
const NOT_JSON = "The body is not valid JSON.";
const NEVER =
  "An API key can never delete anything, so it cannot send deleted_at. Nothing was changed.";
const nothingAt = (path: string) => `There is nothing at ${V1}${path}.`;
const wrongMethod = (method: string, allow: string) =>
  `${method} is not allowed on this path. Use one of: ${allow}.`;

/** Each request breaks two rules at once. The reply is for the rule that comes first. */
const TWICE_WRONG: readonly (readonly [string, string, string, CallOptions, number, string])[] = [
  ["delete before host", "DELETE", "/tasks/t", { headers: EVIL }, 405, SAYS.never("DELETE")],
  ["put before unknown path", "PUT", "/nothing", {}, 405, SAYS.never("PUT")],
  ["delete before credential", "DELETE", "/tasks/t", {}, 405, SAYS.never("DELETE")],
  ["put before bad credential", "PUT", "/me", { token: "x" }, 405, SAYS.never("PUT")],
  ["delete before limiter", "DELETE", "/me", { token: overLimit }, 405, SAYS.never("DELETE")],
  ["delete before /sync", "DELETE", "/sync", { token: reader }, 405, SAYS.never("DELETE")],
  ["put before plan", "PUT", "/tasks/t", { token: free }, 405, SAYS.never("PUT")],
  ["put before type", "PUT", "/tasks", { body: "x", headers: TEXT }, 405, SAYS.never("PUT")],
  ["delete before size", "DELETE", "/tasks", { body: HUGE }, 405, SAYS.never("DELETE")],

  ["host before OPTIONS", "OPTIONS", "/me", { headers: EVIL }, 421, SAYS.host],
  ["host before unknown path", "GET", "/nothing", { headers: EVIL }, 421, SAYS.host],
  ["host before wrong method", "PATCH", "/me", { headers: EVIL }, 421, SAYS.host],
  ["host before credential", "GET", "/me", { headers: EVIL }, 421, SAYS.host],
  ["host before limiter", "GET", "/me", { token: overLimit, headers: EVIL }, 421, SAYS.host],

  ["unknown path before credential", "GET", "/nothing", {}, 404, nothingAt("/nothing")],
  ["unknown path before limiter", "GET", "/x", { token: overLimit }, 404, nothingAt("/x")],
  ["unknown path before body", "POST", "/x", { token: writer, body: "{" }, 404, nothingAt("/x")],
  [
    ...(["wrong method before credential", "PATCH", "/me"] as const),
    ...([{}, 405, wrongMethod("PATCH", "GET, HEAD, OPTIONS")] as const),
  ],
  [
    ...(["wrong method before limiter", "PATCH", "/projects"] as const),
    ...([{ token: overLimit }, 405, wrongMethod("PATCH", "GET, POST, HEAD, OPTIONS")] as const),
  ],
  [
    ...(["wrong method before type", "POST", "/tasks/t"] as const),
    ...([
      { body: "x", headers: TEXT },
      405,
      wrongMethod("POST", "GET, PATCH, HEAD, OPTIONS"),
    ] as const),
  ],

  ["credential before /sync", "GET", "/sync", {}, 401, SAYS.credential],
  ["credential before query", "GET", "/tasks?limit=0", {}, 401, SAYS.credential],
  ["credential before type", "POST", "/tasks", { body: "x", headers: TEXT }, 401, SAYS.credential],
  ["credential before size", "POST", "/tasks", { token: "x", body: HUGE }, 401, SAYS.badCredential],
  ["credential before JSON", "POST", "/sync", { body: "{" }, 401, SAYS.credential],
  ["credential before record", "GET", "/tasks/none", {}, 401, SAYS.credential],

  ["limiter before /sync", "GET", "/sync", { token: overLimit }, 429, SAYS.wait(60)],
  ["limiter before scope", "POST", "/tasks", { token: overLimit, body: {} }, 429, SAYS.wait(60)],
  [
    "limiter before type",
    "POST",
    "/tasks",
    { token: overLimit, body: "x", headers: TEXT },
    429,
    SAYS.wait(60),
  ],
  ["limiter before query", "GET", "/tasks?limit=0", { token: overLimit }, 429, SAYS.wait(60)],
  ["limiter before record", "GET", "/tasks/none", { token: overLimit }, 429, SAYS.wait(60)],

  ["/sync before plan", "GET", "/sync", { token: free }, 403, SAYS.noSync],
  ["/sync before body", "POST", "/sync", { token: writer, body: "{" }, 403, SAYS.noSync],
  ["/sync before query", "GET", "/sync?since=x", { token: reader }, 403, SAYS.noSync],

  ["scope before plan", "POST", "/tasks", { token: free, body: {} }, 403, SAYS.lacks("write")],
  [
    "scope before type",
    "POST",
    "/tasks",
    { token: reader, body: "x", headers: TEXT },
    403,
    SAYS.lacks("write"),
  ],
  ["scope before size", "POST", "/tasks", { token: reader, body: HUGE }, 403, SAYS.lacks("write")],
  ["scope before query", "GET", "/tasks?limit=0", { token: writer }, 403, SAYS.lacks("read")],
  ["scope before record", "GET", "/tasks/none", { token: writer }, 403, SAYS.lacks("read")],
  ["plan before query", "GET", "/tasks?limit=0", { token: free }, 403, SAYS.free],
  ["plan before record", "GET", "/tasks/none", { token: free }, 403, SAYS.free],

  [
    "type before size",
    "POST",
    "/tasks",
    { token: session, body: HUGE, headers: TEXT },
    415,
    JSON_ONLY,
  ],
  [
    "type before JSON",
    "POST",
    "/sync",
    { token: session, body: "{", headers: TEXT },
    415,
    JSON_ONLY,
  ],
  [
    "type before record",
    "PATCH",
    "/tasks/none",
    { token: session, body: "{}", headers: TEXT },
    415,
    JSON_ONLY,
  ],
  ["size before JSON", "POST", "/tasks", { token: session, body: HUGE }, 413, TOO_LARGE],
  ["UTF-8 before JSON", "POST", "/tasks", { token: session, body: BAD_UTF8 }, 400, NOT_UTF8],
  ["JSON before record", "PATCH", "/tasks/none", { token: session, body: "{" }, 400, NOT_JSON],
  [
    "deleted_at before schema",
    "PATCH",
    "/tasks/t",
    { token: writer, body: { title: 5, deleted_at: 1 } },
    403,
    NEVER,
  ],
  [
    "deleted_at before record",
    "PATCH",
    "/tasks/none",
    { token: writer, body: { deleted_at: 1 } },
    403,
    NEVER,
  ],
  [
    "schema before record",
    "PATCH",
    "/tasks/none",
    { token: writer, body: { title: 5 } },
    422,
    "title must be a string.",
  ],
  [
    "record before If-Match",
    "PATCH",
    "/tasks/none",
    { token: writer, body: {}, headers: { "if-match": '"x"' } },
    404,
    SAYS.noTask,
  ],
];

test.each(TWICE_WRONG)(
  "Order of checks: %s",
  async (_name, method, path, options, status, error) => {
    const answer = await call(method, path, options);
    expectRefusal(answer, status, error);
    expect(answer.headers.has("allow")).toBe(status === 405);
    expect(answer.headers.has("www-authenticate")).toBe(
      status === 401 || error.startsWith("This key does not have"),
    );
    expect(answer.headers.has("retry-after")).toBe(status === 429);
  },
);

test.each([
  ["an unknown path", "/nothing", "OPTIONS"],
  ["a known one", "/tasks", "GET, POST, PATCH, HEAD, OPTIONS"],
])("OPTIONS for %s comes before path, credential and limiter", async (_name, path, allow) => {
  for (const token of [undefined, "x", overLimit, session]) {
    const answer = await call("OPTIONS", path, { token });
    expect([answer.status, answer.text, answer.headers.get("allow")]).toEqual([204, "", allow]);
  }
});

test("A bug becomes a 500 that reveals nothing about it", async () => {
  // The table of records is gone, as if the database had been damaged while the server runs.
  const broken = await startServer();
  const { session: token } = await newcomer(broken);
  await broken.store.writer.write(async (tx) => {
    await tx.orm.run("ALTER TABLE record RENAME TO hidden");
  });
  const answer = await broken.call("GET", "/tasks/t", { token });
  expectRefusal(answer, 500, "Internal error.");
  expect(broken.logged.join("\n")).toMatch(
    /no such table: record|relation \\?"record\\?" does not exist/,
  );
  await broken.store.writer.write(async (tx) => {
    await tx.orm.run("ALTER TABLE hidden RENAME TO record");
  });
  expectRefusal(await broken.call("GET", "/tasks/t", { token }), 404, SAYS.noTask);
  await broken.stop();
});
