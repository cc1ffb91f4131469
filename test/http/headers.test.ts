import { expect, test } from "bun:test";
import type { Answer, CallOptions } from "../support/server.ts";
import { newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const { session, key: keyWith } = await newcomer(server);
const key = await keyWith(["read"]);
const overLimit = await keyWith();
await Promise.all(Array.from({ length: 60 }, () => call("GET", "/me", { token: overLimit })));

/** One reply of every kind. */
const REPLIES: readonly (readonly [string, number, string, string, CallOptions])[] = [
  ["an answer", 200, "GET", "/tasks", { token: session }],
  ["an answer to a key", 200, "GET", "/tasks", { token: key }],
  ["an answer without a body", 200, "HEAD", "/tasks", { token: session }],
  ["something made", 201, "POST", "/projects", { token: session, body: { name: "n" } }],
  ["a pull", 200, "GET", "/sync", { token: session }],
  ["a preflight", 204, "OPTIONS", "/tasks", {}],
  ["a preflight of nothing", 204, "OPTIONS", "/nothing", {}],
  ["not JSON", 400, "POST", "/tasks", { token: session, body: "{" }],
  ["a stranger", 401, "GET", "/tasks", {}],
  ["a wrong credential", 401, "GET", "/tasks", { token: "x" }],
  ["a scope that lacks", 403, "POST", "/tasks", { token: key, body: {} }],
  ["an unknown path", 404, "GET", "/nothing", { token: key }],
  ["an unknown record", 404, "GET", "/tasks/none", { token: key }],
  ["a delete", 405, "DELETE", "/tasks", { token: key }],
  ["a wrong method", 405, "PATCH", "/projects", { token: key }],
  [
    "a form",
    415,
    "POST",
    "/tasks",
    {
      token: session,
      body: "a=b",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
  ],
  ["a wrong host", 421, "GET", "/tasks", { token: key, headers: { host: "evil.example" } }],
  ["an invalid query", 422, "GET", "/tasks?limit=0", { token: key }],
  ["too many", 429, "GET", "/tasks", { token: overLimit }],
  ["a health check", 200, "GET", "!/healthz", {}],
  ["a readiness check", 200, "GET", "!/readyz", {}],
  ["the OpenAPI document", 200, "GET", "!/openapi.json", {}],
  ["nothing", 404, "GET", "!/nothing", {}],
];

const asked = new Map<string, Promise<Answer>>();

/** Each of the replies, requested once. */
const replyOf = (name: string, method: string, path: string, options: CallOptions) => {
  const answer =
    asked.get(name) ??
    call(method, path, {
      ...options,
      headers: { ...options.headers, origin: "https://evil.example" },
    });
  asked.set(name, answer);
  return answer;
};

test.each(REPLIES)(
  "%s (%i) may not be cached, framed, sniffed or run",
  async (name, expected, method, path, options) => {
    const { status, headers } = await replyOf(name, method, path, options);
    expect(status).toBe(expected);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(headers.get("content-type")).toBe(
      status === 204 ? null : "application/json;charset=utf-8",
    );
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.has("set-cookie")).toBe(false);
    expect(headers.has("server")).toBe(false);
  },
);

test.each(REPLIES)(
  "%s (%i) is open to any origin, never with credentials",
  async (name, _status, method, path, options) => {
    const { headers } = await replyOf(name, method, path, options);
    const open = path !== "!/readyz" && path !== "!/nothing";
    expect(headers.get("access-control-allow-origin")).toBe(open ? "*" : null);
    expect(headers.get("access-control-expose-headers")).toBe(
      open
        ? "Allow, ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"
        : null,
    );
    expect(headers.has("access-control-allow-credentials")).toBe(false);
  },
);

test.each([
  ["https://evil.example"],
  ["null"],
  ["chrome-extension://abcdefghijklmnopabcdefghijklmnop"],
  ["chrome-extension://abcdefghijklmnopabcdefghijklmnop.evil"],
  ["moz-extension://2c3d5e1f-0000-4000-8000-000000000000"],
])("A preflight from %s needs no credential and grants none", async (origin) => {
  const headers = {
    origin,
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization, content-type",
    "access-control-request-private-network": "true",
  };
  const answer = await call("OPTIONS", "/tasks/t", { headers });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  const cors = [...answer.headers].filter(([name]) => name.startsWith("access-control"));
  expect(Object.fromEntries(cors)).toEqual({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
    "access-control-allow-headers":
      "Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id",
    "access-control-max-age": "86400",
    "access-control-expose-headers":
      "Allow, ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id",
  });
});

test("A preflight outside the API grants nothing", async () => {
  for (const path of ["!/readyz", "!/", "!/account", "!/apis/x"]) {
    const { status, headers } = await call("OPTIONS", path, { headers: { origin: "null" } });
    expect(status).toBe(204);
    expect([...headers].filter(([name]) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("A cookie is not a credential", async () => {
  const headers = { cookie: `docket=${session}; token=${session}; session=${session}` };
  expect((await call("GET", "/me", { headers })).status).toBe(401);
});

test.each([["abcdefgh"], ["A-z_0-9-".repeat(8)]])(
  "The request id %s is kept, and is logged",
  async (id) => {
    const { headers } = await call("GET", "/nothing", { headers: { "x-request-id": id } });
    expect(headers.get("x-request-id")).toBe(id);
    expect(server.logged.at(-1)).toContain(`"requestId":"${id}"`);
  },
);

test.each([
  ["short"],
  ["x".repeat(65)],
  ["with space"],
  ["<script>1"],
  ["id-12345;x"],
  ["äöüäöüäö"],
])("The request id %j is replaced", async (id) => {
  const { headers } = await call("GET", "/nothing", { headers: { "x-request-id": id } });
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(server.logged.at(-1)).not.toContain(id);
});

test.each([
  ["/me", session],
  ["/tasks", session],
  ["/sync", session],
  ["/tasks/none", session],
  ["/nothing", undefined],
  ["/me", undefined],
])("HEAD %s is GET without its body", async (path, token) => {
  const headers = { "accept-encoding": "identity", "x-request-id": "the-same-one" };
  const get = await call("GET", path, { token, headers });
  const answer = await call("HEAD", path, { token, headers });
  expect([answer.status, answer.text]).toEqual([get.status, ""]);
  expect(fieldsOf(answer)).toEqual(fieldsOf(get));
});

const fieldsOf = ({ headers }: Answer) =>
  Object.fromEntries([...headers].filter(([name]) => name !== "date"));
