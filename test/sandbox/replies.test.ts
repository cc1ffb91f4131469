import { describe, expect, test } from "bun:test";
import { SANDBOX_SECRETS } from "../../src/sandbox/account.ts";
import { ask, startSandbox } from "../support/sandbox/sandbox.ts";

const { url } = await startSandbox();

const FORCED = {
  error: "The sandbox refused this because the Docket-Sandbox header asked for it.",
};

const titles = async (): Promise<readonly string[]> => {
  const { json } = await ask(url, "/tasks?limit=200");
  return (json.tasks as { title: string }[]).map(({ title }) => title);
};

describe("A request for a refusal", () => {
  test.each<[string, number, Record<string, string>]>([
    ["401", 401, { "www-authenticate": 'Bearer realm="docket", error="invalid_token"' }],
    ["403", 403, {}],
    ["429", 429, { "retry-after": "5", ratelimit: '"minute";r=0;t=5, "hour";r=0;t=5' }],
    ["429; retry-after=70", 429, { "retry-after": "70" }],
    ["503", 503, { "retry-after": "5" }],
    ["503; retry-after=0", 503, { "retry-after": "0" }],
    ["slow; ms=1, 503; retry-after=2", 503, { "retry-after": "2" }],
  ])("%s gets it, and nothing is written", async (wish, status, headers) => {
    const refused = await ask(url, "/tasks", { wish, body: { title: `made with ${wish}` } });
    expect([refused.status, refused.json]).toEqual([status, FORCED]);
    const always = { "access-control-allow-origin": "*", "docket-sandbox": "on" };
    expect(Object.fromEntries(refused.headers)).toMatchObject({ ...always, ...headers });
    expect(await titles()).not.toContain(`made with ${wish}`);
  });

  test.each([
    "teapot",
    "",
    "401; retry-after=5",
    "429; retry-after=",
    "429; ms=5",
    "429; retry-after=86401",
    "slow; ms=-1",
    "slow; ms=50001",
    "401 403",
    "401,",
  ])("that reads %j is refused, and the sandbox says what it knows", async (wish) => {
    const { status, json } = await ask(url, "/me", { wish });
    const last = wish.split(",").pop();
    expect([status, json]).toEqual([
      400,
      {
        error:
          `The sandbox does not know "${last}" in Docket-Sandbox. It knows: 401, 403, ` +
          "429; retry-after=5, 503; retry-after=5, stale, slow; ms=3000, cut, garbage, html.",
      },
    ]);
  });
});

describe("A request for a broken reply is carried out", () => {
  test("and half of the reply arrives before the connection breaks", async () => {
    const cut = ask(url, "/tasks", { wish: "cut", body: { title: "cut" } });
    expect(await cut.then(() => "whole").catch(({ code }) => code)).toBe("ECONNRESET");
    expect(await titles()).toContain("cut");
  });

  test("and the reply is not JSON", async () => {
    const garbage = await ask(url, "/tasks", { wish: "garbage", body: { title: "garbage" } });
    expect([garbage.status, garbage.json]).toEqual([201, undefined]);
    expect(garbage.headers.get("content-type")).toStartWith("application/json");
    expect(await titles()).toContain("garbage");
  });

  test("and the reply is a web page", async () => {
    const page = await ask(url, "/tasks", { wish: "html", body: { title: "html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([
      201,
      "text/html;charset=utf-8",
    ]);
    expect(page.text).toStartWith("<!doctype html>");
    expect(await titles()).toContain("html");
  });

  test("and a slow one arrives whole", async () => {
    const start = performance.now();
    const slow = await ask(url, "/tasks", { wish: "slow; ms=300", body: { title: "slow" } });
    expect(performance.now() - start).toBeGreaterThanOrEqual(299);
    expect([slow.status, slow.json.title]).toEqual([201, "slow"]);
  });
});

const record = (id: string, more: object = {}) => ({
  table: "sync_tasks",
  id,
  updated_at: "2026-03-04T12:00:00Z",
  payload: { title: "Mine", "x-own": 1 },
  ...more,
});

describe("A push that asks to be stale", () => {
  test("is rejected by the server itself, and the next pull brings the same rows", async () => {
    const records = [
      record("a"),
      record("b", { deleted_at: "2026-03-04T12:00:00Z" }),
      record("c", { table: "sync_projects", payload: { name: "Mine" } }),
    ];
    const { status, json } = await ask(url, "/sync", { wish: "stale", body: records });
    expect([status, json.applied]).toEqual([200, 0]);
    const changed = { updated_at: "2026-03-04T12:00:00.001Z", deleted_at: null };
    const title = "Changed on another device";
    const rejected = json.rejected as { reason: string; server_row: object }[];
    expect(rejected).toMatchObject([
      { reason: "stale", server_row: { id: "a", ...changed, payload: { title, "x-own": 1 } } },
      { reason: "stale", server_row: { id: "b", ...changed, payload: { title, "x-own": 1 } } },
      { reason: "stale", server_row: { id: "c", ...changed, payload: { name: title } } },
    ]);
    const { changes } = (await ask(url, "/sync")).json;
    for (const { server_row } of rejected)
      expect([...changes.sync_tasks, ...changes.sync_projects]).toContainEqual(server_row);
  });

  test("keeps its own error if it has one", async () => {
    const odd = await ask(url, "/sync", { wish: "stale", body: [7, record("d")] });
    expect(odd.json).toMatchObject({ applied: 0, invalid: [{ index: 0 }] });
    expect((await ask(url, "/sync", { wish: "stale", body: "{" })).status).toBe(400);
    expect((await ask(url, "/sync", { wish: "stale", body: {} })).status).toBe(422);
  });

  test("must be a push", async () => {
    const { status, json } = await ask(url, "/tasks", { wish: "stale", body: { title: "x" } });
    expect([status, json]).toEqual([
      422,
      { error: "Docket-Sandbox: stale is for POST /sync only." },
    ]);
  });
});

test("Without the header, a sandbox answers as any server, and says on every reply that it is one", async () => {
  for (const [path, status] of [
    ["/me", 200],
    ["/nowhere", 404],
    ["!/healthz", 200],
    ["!/sandbox", 404],
  ] as const) {
    const reply = await ask(url, path);
    expect([path, reply.status, reply.headers.get("docket-sandbox")]).toEqual([path, status, "on"]);
  }
  expect((await ask(url, "!/sandbox/clock", { method: "DELETE" })).status).toBe(405);
});

test("A page of another origin may send the header, after asking", async () => {
  const { status, headers } = await ask(url, "/me", {
    method: "OPTIONS",
    wish: "503",
    headers: { origin: "https://extension.example" },
  });
  expect([status, headers.get("access-control-allow-headers")]).toEqual([
    204,
    "Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id, Docket-Sandbox",
  ]);
});

test("The three API keys have the scopes that their names say", async () => {
  const { DOCKET_API_KEY, DOCKET_READ_KEY, DOCKET_WRITE_KEY } = SANDBOX_SECRETS;
  for (const [token, scopes] of [
    [DOCKET_API_KEY, ["read", "write"]],
    [DOCKET_READ_KEY, ["read"]],
    [DOCKET_WRITE_KEY, ["write"]],
  ] as const)
    expect((await ask(url, "/me", { token })).json).toMatchObject({
      email: "sandbox@example.org",
      credential: "api_key",
      scopes,
    });
});
