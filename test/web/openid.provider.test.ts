import { expect, test } from "bun:test";
import { HOUR, SECOND } from "../../src/domain/base/instant.ts";
import { type ServerOptions, startServer } from "../support/server.ts";
import { startLiar } from "../support/web/liar.ts";
import { expectPage, saysOf } from "../support/web/openid.ts";
import { visitor } from "../support/web/visitor.ts";

/** A new server, and a provider that says what the test wants. */
const startBoth = async (options: ServerOptions = {}) => {
  const provider = startLiar();
  const settings = { ...options.settings, openId: provider.settings };
  const server = await startServer({ ...options, settings });
  const begin = () => visitor(server).get("/sign-in/openid?next=/account/keys");
  return { provider, server, begin, says: saysOf(provider.settings.issuer.host) };
};

const down = (): Response => new Response("", { status: 500 });

test("an unreachable provider is asked again only after half a minute", async () => {
  const { provider, server, begin, says } = await startBoth();
  provider.say({ reply: down });
  const seen = await begin();
  expectPage(seen, 503, says.unreachable);
  expect(seen.html).toContain('href="/sign-in?next=%2Faccount%2Fkeys"');
  provider.say({});
  expectPage(await begin(), 503, says.unreachable);
  expect(provider.asked.length).toBe(1);
  server.clock.advance(30 * SECOND);
  expect([(await begin()).status, provider.asked.length]).toEqual([303, 2]);
  await server.stop();
});

test("what is known about a provider is used for an hour, and longer while the provider is unreachable", async () => {
  const { provider, server, begin } = await startBoth();
  await begin();
  provider.say({ reply: down });
  server.clock.advance(HOUR - 1);
  expect([(await begin()).status, provider.asked.length]).toEqual([303, 1]);
  server.clock.advance(1);
  for (let times = 0; times < 2; times++)
    expect([(await begin()).status, provider.asked.length]).toEqual([303, 2]);
  await server.stop();
});

test("a hundred sign-ins at once ask the provider only once", async () => {
  const { provider, server, begin } = await startBoth();
  const all = await Promise.all(Array.from({ length: 100 }, begin));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([303]));
  expect(provider.asked).toEqual(["/.well-known/openid-configuration"]);
  await server.stop();
});

test("a provider that refuses connections is reported as unreachable", async () => {
  const issuer = new URL("http://127.0.0.1:1");
  const openId = { issuer, clientId: "docket", clientSecret: "a secret for tests alone" };
  const server = await startServer({ settings: { openId } });
  expectPage(await visitor(server).get("/sign-in/openid"), 503, saysOf("127.0.0.1:1").unreachable);
  await server.stop();
});

test.each<[string, () => Response, "unreachable" | "untrusted"]>([
  ["too large", () => Response.json({ filler: "x".repeat(1024 * 1024) }), "unreachable"],
  ["a redirect", () => Response.redirect("https://evil.example/", 302), "untrusted"],
  [
    "a page",
    () => new Response("<p>Hello", { headers: { "content-type": "text/html" } }),
    "untrusted",
  ],
  ["nothing", () => new Response(null, { status: 204 }), "untrusted"],
])("a provider whose metadata is %s is not used", async (_what, reply, fault) => {
  const { provider, server, begin, says } = await startBoth();
  provider.say({ reply });
  expectPage(await begin(), fault === "unreachable" ? 503 : 403, says[fault]);
  await server.stop();
});

test("a provider with another issuer in its metadata is not used", async () => {
  const { provider, server, begin, says } = await startBoth();
  provider.say({ metadata: { issuer: "https://evil.example" } });
  expectPage(await begin(), 403, says.untrusted);
  await server.stop();
});

test("no code or secret is sent without https to another machine", async () => {
  const { provider, server, says } = await startBoth();
  // This does not look like an address of this machine, but it leads back to it.
  const { port } = provider.settings.issuer;
  provider.say({ metadata: { token_endpoint: `http://0.0.0.0:${port}/token` } });
  const browser = visitor(server);
  const begun = await browser.get("/sign-in/openid");
  const state = new URL(begun.location ?? "").searchParams.get("state") ?? "";
  const iss = provider.settings.issuer.origin;
  const query = new URLSearchParams({ code: "c", state, iss });
  expectPage(await browser.get(`/sign-in/openid/callback?${query}`), 503, says.unreachable);
  expect(provider.asked).not.toContain("/token");
  await server.stop();
});

test("without a provider there are no pages for it", async () => {
  const server = await startServer();
  const browser = visitor(server);
  for (const path of ["/sign-in/openid", "/sign-in/openid/callback?state=x&code=x"])
    expectPage(await browser.get(path), 404, "No OpenID provider is set up for this server.");
  expect((await browser.get("/sign-in?next=/account")).html).not.toContain("/sign-in/openid");
  await server.stop();
});

test("with a public address, sign-in starts and ends there", async () => {
  const publicUrl = new URL("https://docket.example");
  const { server, begin } = await startBoth({ hosts: ["docket.example"], settings: { publicUrl } });
  expect((await begin()).location).toBe("https://docket.example/sign-in?next=%2Faccount%2Fkeys");
  const begun = await visitor(server).get("/sign-in/openid", { host: "docket.example" });
  expect(new URL(begun.location ?? "").searchParams.get("redirect_uri")).toBe(
    "https://docket.example/sign-in/openid/callback",
  );
  expect(begun.headers.getSetCookie().join()).toStartWith("__Host-docket-pending=");
  await server.stop();
});
