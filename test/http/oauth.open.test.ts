import { expect, test } from "bun:test";
import { isOpenToOrigins } from "../../src/server/respond.ts";
import { postForm } from "../support/extension.ts";
import { startServer } from "../support/server.ts";
import { sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const METADATA = "/.well-known/oauth-authorization-server";
const evil = { origin: "https://evil.example" };

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  registration_endpoint: `${issuer}/oauth/register`,
  scopes_supported: ["read", "write"],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "urn:docket:pairing"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  authorization_response_iss_parameter_supported: true,
});

test("The server lists its OAuth addresses under the address that was called", async () => {
  const answer = await server.call("GET", `!${METADATA}`);
  expect([answer.status, answer.json]).toEqual([200, metadataOf(server.url)]);
  const host = new URL(server.url).host.replace("127.0.0.1", "localhost");
  const named = await server.call("GET", `!${METADATA}`, { headers: { host } });
  expect(named.json.issuer).toBe(`http://${host}`);
});

const isProxy = (address: string) => address === "127.0.0.1";

test("Behind a trusted proxy, or with a public address, it lists that address", async () => {
  const behind = await startServer({ settings: { isProxy }, hosts: ["docket.example"] });
  const forwarded = { host: "docket.example", "x-forwarded-proto": "https" };
  const reply = await behind.call("GET", `!${METADATA}`, { headers: forwarded });
  expect(reply.json.issuer).toBe("https://docket.example");
  await behind.stop();
  const publicUrl = new URL("https://docket.example");
  const known = await startServer({ settings: { publicUrl } });
  expect((await known.call("GET", `!${METADATA}`)).json).toEqual(
    metadataOf("https://docket.example"),
  );
  await known.stop();
  const strange = await server.call("GET", `!${METADATA}`, {
    headers: { "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" },
  });
  expect(strange.json.issuer).toBe(server.url);
});

test.each([
  ["/oauth/token", "POST, OPTIONS"],
  ["/oauth/revoke", "POST, OPTIONS"],
  [METADATA, "GET, HEAD, OPTIONS"],
])("Any origin may call %s, and its preflight is answered", async (path, allow) => {
  const headers = {
    ...evil,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  };
  const preflight = await server.call("OPTIONS", `!${path}`, { headers });
  expect([preflight.status, preflight.text]).toEqual([204, ""]);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    allow,
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
    "access-control-allow-headers":
      "Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id",
  });
});

test("Replies and refusals are readable by any origin too, and never with its cookies", async () => {
  for (const answer of [
    await server.call("GET", `!${METADATA}`, { headers: evil }),
    await postForm(server, "/oauth/token", "", evil),
    await postForm(server, "/oauth/revoke", "token=x", evil),
    await server.call("DELETE", "!/oauth/token", { headers: evil }),
    await server.call("GET", "!/.well-known/nothing", { headers: evil }),
  ]) {
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("set-cookie")).toBe(false);
  }
});

test("The consent page is open only to its own origin", async () => {
  const preflight = await server.call("OPTIONS", "!/oauth/authorize", { headers: evil });
  expect(preflight.headers.has("access-control-allow-origin")).toBe(false);
  const page = await server.call("GET", "!/oauth/authorize", { headers: evil });
  expect([page.status, page.headers.has("access-control-allow-origin")]).toEqual([400, false]);
});

test.each([
  ["/api/public/v1/me", true],
  ["/healthz", true],
  ["/oauth/token", true],
  ["/oauth/revoke", true],
  ["/.well-known/anything", true],
  ["/oauth/authorize", false],
  ["/oauth/token/more", false],
  ["/oauth/tokens", false],
  ["/account/oauth/token", false],
  ["/account/.well-known/x", false],
  ["/account", false],
  ["/sign-in", false],
  ["/xapi/", false],
  ["/readyz", false],
])("Whether %s is open to other origins", (path, open) => {
  expect(isOpenToOrigins(path)).toBe(open);
});
