import { expect, test } from "bun:test";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { listSessions } from "../../src/db/people/sessions.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { clientIdOf } from "../../src/domain/people/oauth-client.ts";
import { newcomer, sharedServer } from "../support/replies.ts";
import { ALLOW, decideOn } from "../support/mcp/sign-in.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// What a program that registered itself must never get: a session, more than was allowed, or a person sent elsewhere.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const { call, clock, store } = server;

const CALLBACK = "http://localhost:4711/callback";
const VERIFIER = "v".repeat(43);
const CHALLENGE = new Bun.CryptoHasher("sha256").update(VERIFIER).digest("base64url");
const CLIENT = clientIdOf({ name: "Helper", redirects: [CALLBACK] });

const register = (body: unknown) => call("POST", "!/oauth/register", { body });

const addressOf = (more: Readonly<Record<string, string>> = {}): URL => {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    scope: "read write",
    state: "s",
    ...more,
  });
  return new URL(`${server.url}/oauth/authorize?${query}`);
};

const exchange = (code: string, more: Readonly<Record<string, string>> = {}) =>
  call("POST", "!/oauth/token", {
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      client_id: CLIENT,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      ...more,
    }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

const codeIn = (location: string | null): string =>
  new URL(location ?? "", server.url).searchParams.get("code") ?? "";

test("A registration gives an id, and stores nothing, however many come", async () => {
  const body = { client_name: "Helper", redirect_uris: [CALLBACK], logo_uri: "https://x.example/" };
  const made = await register(body);
  expect([made.status, made.json]).toMatchObject([
    201,
    { client_id: CLIENT, client_name: "Helper", redirect_uris: [CALLBACK] },
  ]);
  const all = await Promise.all(Array.from({ length: 200 }, () => register(body)));
  for (const one of all) expect(one.json.client_id).toBe(CLIENT);
  const large = await register({ ...body, client_uri: "x".repeat(2_048) });
  expect([large.status, large.json]).toEqual([
    413,
    {
      error: "invalid_client_metadata",
      error_description: "A registration must be at most 2 KiB.",
    },
  ]);
});

test.each([
  "http://localhost/",
  "http://127.0.0.1:1/callback",
  "http://[::1]:65535/a?b=c",
  "https://claude.example/api/callback",
  "cursor://anysphere.cursor-retrieval/oauth/callback",
  "vscode://vscode.github-authentication/did-authenticate",
])("A program can name %s", async (uri) => {
  expect((await register({ redirect_uris: [uri] })).status).toBe(201);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "http://evil.example/",
  "http://localhost.evil.example/",
  "http://127.0.0.1.evil.example/",
  "http://localhost@evil.example/",
  "http://evil.example@localhost/",
  "http://127.1/",
  "http://2130706433/",
  "http://LOCALHOST/",
  "http://localhost\\@evil.example/",
  "https://a.example/#fragment",
  "https://a.example/#",
  "https://user:pw@a.example/",
  "https:a.example",
  "https:///a.example/",
  "https://b\u00FCcher.example/",
  " https://a.example/",
  "cursor:alert(1)",
  "cursor:javascript:alert(1)",
  "//a.example/",
  "",
  7,
])("No program can name %j", async (uri) => {
  const { status, json } = await register({ redirect_uris: [uri] });
  expect([status, json.error]).toEqual([400, "invalid_redirect_uri"]);
});

test.each([
  [{ redirect_uris: [] }, "invalid_redirect_uri"],
  [{ client_name: "Helper" }, "invalid_redirect_uri"],
  [{ client_name: "a\u202Eb", redirect_uris: [CALLBACK] }, "invalid_client_metadata"],
  [{ client_name: 7, redirect_uris: [CALLBACK] }, "invalid_client_metadata"],
  [[], "invalid_client_metadata"],
  ["{", "invalid_client_metadata"],
])("The registration %j is refused", async (body, error) => {
  const { status, json } = await register(body);
  expect([status, json.error]).toEqual([400, error]);
});

const UNUSABLE = [
  ["an id that nobody gave out", { client_id: "mcp.x" }],
  [
    "an id with an address that nobody can name",
    { client_id: `mcp.${Buffer.from('["a","javascript:alert(1)"]').toString("base64url")}` },
  ],
  ["an address that the program did not name", { redirect_uri: "https://evil.example/" }],
  ["another path on this machine", { redirect_uri: "http://localhost:4711/other" }],
  ["another name of this machine", { redirect_uri: "http://127.0.0.1:4711/callback" }],
  ["a script", { redirect_uri: "javascript:alert(1)" }],
  ["an address with a fragment", { redirect_uri: `${CALLBACK}#x` }],
] as const;

test.each(UNUSABLE)("A request with %s sends nobody anywhere", async (_what, more) => {
  const ann = await someoneSignedIn(server);
  const { pathname, search } = addressOf(more);
  const seen = await ann.get(pathname + search);
  expect([seen.status, seen.location]).toEqual([400, null]);
});

test.each([
  [{ resource: "https://other.example/mcp" }, "invalid_target"],
  [{ resource: `${server.url}/` }, "invalid_target"],
  [{ response_type: "token" }, "unsupported_response_type"],
  [{ code_challenge_method: "plain" }, "invalid_request"],
  [{ code_challenge: "short" }, "invalid_request"],
])("A request with %j is refused where the program hears it", async (more, error) => {
  const ann = await someoneSignedIn(server);
  const { pathname, search } = addressOf(more as Record<string, string>);
  const { location } = await ann.get(pathname + search);
  const answer = new URL(location ?? "");
  expect([answer.origin + answer.pathname, answer.searchParams.get("error")]).toEqual([
    CALLBACK,
    error,
  ]);
  expect(answer.searchParams.get("state")).toBe("s");
});

test("The port on this machine may be another one, and this server's own resource may be named", async () => {
  const ann = await someoneSignedIn(server);
  const redirect_uri = "http://localhost:9/callback";
  const seen = await decideOn(ann, addressOf({ redirect_uri, resource: `${server.url}/mcp` }));
  expect(seen.location).toStartWith(`${redirect_uri}?code=docket_code_`);
  expect((await exchange(codeIn(seen.location), { redirect_uri })).status).toBe(200);
});

test("The page says what the program calls itself, where it goes back to, and what nobody checked", async () => {
  const ann = await someoneSignedIn(server);
  const name = "<b>Docket</b> extension";
  const client_id = clientIdOf({ name, redirects: ["https://agent.example/cb"] });
  const more = { client_id, redirect_uri: "https://agent.example/cb", scope: "read admin" };
  const { pathname, search } = addressOf(more);
  const { html, text, headers } = await ann.get(pathname + search);
  expect(html).toContain("&lt;b>Docket&lt;/b> extension");
  expect(text).toContain("agent.example");
  expect(text).toContain("Anyone can give a program any name.");
  expect(text).toContain("can never delete anything");
  expect(html).toMatch(/name="read"[^>]*checked/);
  expect(html).not.toMatch(/name="write"[^>]*checked/);
  expect(headers.get("content-security-policy")).toContain(
    "form-action 'self' https://agent.example",
  );
});

test("Without the password, a click lets no program in; with it, the sign-in leads back to the page", async () => {
  const ann = await someoneSignedIn(server);
  const { password: _password, ...without } = ALLOW;
  const seen = await decideOn(ann, addressOf(), without);
  expect([seen.status, seen.location]).toEqual([200, null]);
  const wrong = await decideOn(ann, addressOf(), { ...ALLOW, password: "wrong" });
  expect(wrong.location).toBeNull();
  expect(await listKeys(store, ann.account.id)).toEqual([]);
  const stranger = visitor(server);
  const { pathname, search } = addressOf();
  const { location } = await stranger.get(pathname + search);
  expect(location).toStartWith("/sign-in?next=%2Foauth%2Fauthorize%3F");
});

test("A program gets a key and never a session, whatever it sends", async () => {
  const ann = await someoneSignedIn(server);
  const code = codeIn((await decideOn(ann, addressOf())).location);
  const forms = [
    { client_id: "docket-extension" },
    { client_id: "docket-extension", grant_type: "urn:docket:pairing" },
    { client_id: CLIENT, grant_type: "urn:docket:pairing" },
    { client_id: CLIENT, grant_type: "refresh_token" },
    { client_id: CLIENT, grant_type: "client_credentials" },
  ];
  for (const form of forms) expect((await exchange(code, form)).status).toBe(400);
  expect(await listSessions(store, ann.account.id)).toEqual([]);
  const { json } = await exchange(codeIn((await decideOn(ann, addressOf())).location));
  expect(json.access_token).toStartWith("docket_live_");
  expect(await listSessions(store, ann.account.id)).toEqual([]);
  expect((await call("GET", "/sync", { token: json.access_token })).status).toBe(403);
});

test("A code fits one program, address and verifier, and works once, for a minute", async () => {
  const ann = await someoneSignedIn(server);
  const other = clientIdOf({ name: "Other", redirects: [CALLBACK] });
  for (const more of [
    { client_id: other },
    { redirect_uri: "http://localhost:4712/callback" },
    { code_verifier: "w".repeat(43) },
  ] as const) {
    const code = codeIn((await decideOn(ann, addressOf())).location);
    expect((await exchange(code, more)).json.error).toBe("invalid_grant");
    expect((await exchange(code)).json.error).toBe("invalid_grant");
  }
  const late = codeIn((await decideOn(ann, addressOf())).location);
  clock.advance(MINUTE);
  expect((await exchange(late)).json.error).toBe("invalid_grant");
  // Somebody else has a code that is used twice, so the key that it led to ends.
  const stolen = codeIn((await decideOn(ann, addressOf())).location);
  const { access_token: token } = (await exchange(stolen)).json;
  expect((await call("GET", "/me", { token })).status).toBe(200);
  expect((await exchange(stolen)).status).toBe(400);
  expect((await call("GET", "/me", { token })).status).toBe(401);
});

test("The fiftieth key is the last one, and the page says so", async () => {
  const ann = await someoneSignedIn(server);
  const code = codeIn((await decideOn(ann, addressOf())).location);
  for (let made = 0; made < 50; made += 1)
    await ann.post("/account/keys", {
      name: "k",
      read: "yes",
      where: "account",
      expires: "7d",
      password: PASSWORD,
    });
  expect((await decideOn(ann, addressOf())).text).toContain("already has 50 active keys");
  expect((await exchange(code)).json.error).toBe("invalid_grant");
});

test("A program cannot end a key that a person made", async () => {
  const bob = await newcomer(server, "bob");
  const token = await bob.key();
  const body = new URLSearchParams({ token }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status, json } = await call("POST", "!/oauth/revoke", { body, headers });
  expect([status, json.error]).toEqual([400, "unsupported_token_type"]);
  expect((await call("GET", "/me", { token })).status).toBe(200);
});

test.each(["", "/mcp"])("Programs find out where to sign in at %j", async (end) => {
  const { json } = await call("GET", `!/.well-known/oauth-protected-resource${end}`);
  expect(json).toEqual({
    resource: `${server.url}/mcp`,
    authorization_servers: [server.url],
    scopes_supported: ["read", "write"],
    bearer_methods_supported: ["header"],
    resource_name: "Docket",
  });
});
