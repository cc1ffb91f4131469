import { beforeEach, expect, test } from "bun:test";
import { linkIdentity } from "../../src/db/people/identities.ts";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { extension } from "../support/extension.ts";
import { sharedServer } from "../support/replies.ts";
import { type Lies, startLiar } from "../support/web/liar.ts";
import { expectPage, saysOf } from "../support/web/openid.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

const liar = startLiar();
const server = await sharedServer({ settings: { openId: liar.settings } });
const issuer = liar.settings.issuer.origin;

const ann = await someoneSignedIn(server);
await linkIdentity(server.store, ann.account.id, { issuer, subject: "ann", label: "ann" }, 0);
beforeEach(() => liar.say({}));

const SAYS = saysOf(liar.settings.issuer.host);

type Callback = Readonly<Record<string, string | undefined>>;

/** Someone goes to the provider and comes back with whatever it says. */
const comeBack = async (lies: Lies, callback: Callback = {}, path = "/sign-in/openid") => {
  const browser = path.startsWith("/account") ? ann : visitor(server);
  const begun = await browser.get(path);
  const sent = new URL(begun.location ?? "").searchParams;
  liar.say(lies, sent.get("nonce") ?? "");
  const back = { code: "c", state: sent.get("state") ?? "", iss: issuer, ...callback };
  const told = Object.entries(back).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const seen = await browser.get(`/sign-in/openid/callback?${new URLSearchParams(told)}`);
  return { browser, seen };
};

const andThen = (seconds: number): number => Math.floor(Date.now() / SECOND) + seconds;

test("a provider that tells the truth signs its person in", async () => {
  const { browser, seen } = await comeBack({});
  expect([seen.status, seen.location]).toEqual([303, "/tasks"]);
  expect((await browser.get("/account")).text).toContain(ann.account.email);
});

test.each<[string, Lies]>([
  ["for another nonce", { claims: { nonce: "another" } }],
  ["without nonce", { claims: { nonce: undefined } }],
  ["for another client", { claims: { aud: "another" } }],
  ["for several clients", { claims: { aud: ["docket", "another"] } }],
  ["for this client, issued to another", { claims: { azp: "another" } }],
  ["that is not valid yet", { claims: { nbf: andThen(3600) } }],
  ["without an end", { claims: { exp: undefined } }],
  ["that says who as a number", { claims: { sub: 7 } }],
  ["from another issuer", { claims: { iss: "https://evil.example" } }],
  ["that has expired", { claims: { exp: andThen(-MINUTE / SECOND) } }],
  ["that says nobody", { claims: { sub: undefined } }],
  ["signed with an unknown key", { strangeKey: true }],
  ["without signature", { alg: "none" }],
  ["signed with the client's secret", { alg: "HS256" }],
  ["that is missing", { withoutToken: true }],
])("an ID token %s signs nobody in", async (_what, lies) => {
  const { browser, seen } = await comeBack(lies);
  expectPage(seen, 403, SAYS.untrusted);
  expect((await browser.get("/account")).location).toBe("/sign-in?next=%2Faccount");
});

test.each<[string, Callback]>([
  ["names another issuer", { iss: "https://evil.example" }],
  ["names no issuer, where the provider says that it always does", { iss: undefined }],
  ["has no code", { code: undefined }],
])("a way back that %s is refused before any token is asked for", async (_what, callback) => {
  liar.asked.length = 0;
  const { seen } = await comeBack({}, callback);
  expectPage(seen, 403, SAYS.untrusted);
  expect(liar.asked).not.toContain("/token");
});

test("a code without a state, or with a state that nobody was given, is not even looked at", async () => {
  for (const state of [undefined, "", "made up"]) {
    liar.asked.length = 0;
    const { seen } = await comeBack({}, { state });
    expectPage(seen, 403, "was not started in this browser");
    expect(liar.asked).toEqual([]);
  }
});

test("an error from the provider is shown in our words, not in the provider's", async () => {
  const error = { error: "server_error", error_description: "Call 555-0100 now", code: undefined };
  const { seen } = await comeBack({}, error);
  expectPage(seen, 403, SAYS.refused);
  expect(seen.text).not.toContain("555-0100");
});

test("confirming at a provider that does not say when, or says long ago, proves nothing", async () => {
  for (const auth_time of [undefined, andThen(-600)]) {
    const { seen } = await comeBack({ claims: { auth_time } }, {}, "/account/confirm/openid");
    expectPage(seen, 403, SAYS.untrusted);
  }
  const { seen } = await comeBack(
    { claims: { auth_time: andThen(0) } },
    {},
    "/account/confirm/openid",
  );
  expect([seen.status, seen.location]).toEqual([303, "/account"]);
});

test("a sign-in at the provider is a proof if it just happened, and not if it was an hour ago", async () => {
  server.clock.set(Date.now());
  for (const [auth_time, asks] of [
    [andThen(0), false],
    [andThen(60), false],
    [andThen(-3600), true],
  ] as const) {
    const { browser } = await comeBack({ claims: { auth_time } });
    const page = await browser.get("/account/keys/new");
    expect([auth_time, page.html.includes("Confirm with your password")]).toEqual([
      auth_time,
      asks,
    ]);
  }
});

test("such a sign-in lets no new extension in: a stranger's extension could have opened it, and the provider asked nobody", async () => {
  server.clock.set(Date.now());
  const asker = extension(server);
  const path = `/sign-in/openid?next=${encodeURIComponent(asker.address())}`;
  const { browser, seen } = await comeBack({ claims: { auth_time: andThen(0) } }, {}, path);
  expect([seen.status, seen.location]).toEqual([303, asker.address()]);
  const page = await browser.get(asker.address());
  expect(page.html).toContain('type="password"');
  expect(page.text).toContain("No password? Create a pairing code under Devices ,");
  // The form again, without a code for the extension.
  const refused = await asker.decide(browser);
  expect([refused.status, refused.location]).toEqual([200, null]);
});

test("a provider that fails when asked for the token is reported as unreachable", async () => {
  const { seen } = await comeBack({ reply: () => new Response("", { status: 502 }) });
  expectPage(seen, 503, SAYS.unreachable);
});

const refused = (): Response =>
  Response.json({ error: "invalid_client", error_description: "no" }, { status: 401 });

test("the log says why, but contains no secret and nothing that a stranger wrote", async () => {
  let seenLines = server.logged.length;
  const logged = (): string => {
    const lines = server.logged.slice(seenLines);
    seenLines += lines.length;
    return lines.join("\n");
  };
  await comeBack({ claims: { nonce: "another" } }, { code: "secret-code" });
  const log = logged();
  expect(log).toContain("unexpected ID Token");
  for (const secret of ["secret-code", liar.settings.clientSecret])
    expect(log).not.toContain(secret);

  const { seen } = await comeBack({ reply: refused });
  expectPage(seen, 403, SAYS.refused);
  expect(logged()).toContain('"message":"the OpenID provider refused","code":"invalid_client"');
  await comeBack({}, { error: "\u001b[31m forged\nline", code: undefined });
  expect(logged()).toContain('"code":"unreadable"');
});
