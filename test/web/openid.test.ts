import { expect, test } from "bun:test";
import { addAccount, disableAccount, listAccounts } from "../../src/db/people/accounts.ts";
import { listBrowserSessions } from "../../src/db/people/browser-sessions.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { ticketIn, turnOn } from "../support/web/authenticator-app.ts";
import { expectPage, linked, needsPassword, roundTrip, saysOf } from "../support/web/openid.ts";
import { startProvider } from "../support/web/provider.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

const provider = await startProvider();
const server = await sharedServer({ settings: { openId: provider.settings } });
provider.serve(server.url);
const SAYS = saysOf(provider.settings.issuer.host);

test("a linked identity signs its person in, in a browser session of its own", async () => {
  const { ann, there } = await linked(server, provider, "linked-1");
  const browser = visitor(server);
  const page = await browser.get("/sign-in?next=/account/keys");
  expect(page.html).toContain('href="/sign-in/openid?next=%2Faccount%2Fkeys"');
  const callback = await roundTrip(
    browser,
    there,
    "/sign-in/openid?next=/account/keys",
    "linked-1",
  );
  const seen = await browser.get(callback);
  expect([seen.status, seen.location]).toEqual([303, "/account/keys"]);
  expect((await browser.get("/account")).text).toContain(ann.account.email);
  const browserSessions = await listBrowserSessions(
    server.store,
    ann.account.id,
    server.clock.wall(),
  );
  expect(browserSessions.map(({ method }) => method).toSorted()).toEqual(["openid", "password"]);
});

test("the provider is asked for a code with PKCE, and sent nothing that others could use", async () => {
  const begun = await visitor(server).get("/sign-in/openid?next=//evil.example");
  const { origin, searchParams } = new URL(begun.location ?? "");
  expect(origin).toBe(provider.settings.issuer.origin);
  const { state, nonce, code_challenge, ...asked } = Object.fromEntries(searchParams);
  expect(asked).toEqual({
    client_id: "docket",
    response_type: "code",
    redirect_uri: `${server.url}/sign-in/openid/callback`,
    scope: "openid profile email",
    code_challenge_method: "S256",
  });
  for (const secret of [state, nonce, code_challenge]) expect(secret).toMatch(/^[\w-]{43}$/);
  expect(begun.headers.getSetCookie().join()).toMatch(
    /^docket-pending-\d+=\S+; .*HttpOnly; SameSite=Lax/,
  );
});

test("an identity that is not linked gets no account and is not signed in, whatever e-mail the provider sends", async () => {
  const email = "victim@visitors.example";
  await addAccount(server.store, email, { plan: "pro", passwordHash: null }, server.clock.wall());
  const before = (await listAccounts(server.store)).length;
  const browser = visitor(server);
  // At this provider, the e-mail is the subject.
  const callback = await roundTrip(browser, provider.browser(), "/sign-in/openid", email);
  const seen = await browser.get(callback);
  expectPage(seen, 403, SAYS.unlinked);
  expect(seen.text).toContain("ask the owner of this server for an invitation");
  expect((await browser.get("/account")).location).toBe("/sign-in?next=%2Faccount");
  expect((await listAccounts(server.store)).length).toBe(before);
});

test("a code obtained in another browser signs nobody in, and still works in its own", async () => {
  const { ann, there } = await linked(server, provider, "stolen-1");
  const mallory = visitor(server);
  const callback = await roundTrip(mallory, there, "/sign-in/openid", "stolen-1");

  expectPage(await visitor(server).get(callback), 403, SAYS.stale);
  const victim = visitor(server);
  await victim.get("/sign-in/openid");
  expectPage(await victim.get(callback), 403, SAYS.stale);
  expectPage(await ann.get(callback), 403, SAYS.stale);

  expect((await mallory.get(callback)).location).toBe("/tasks");
  expectPage(await mallory.get(callback), 403, SAYS.stale);
});

test("a code with the state of another callback is refused, and that state is used up", async () => {
  const { there } = await linked(server, provider, "swapped-1");
  const browser = visitor(server);
  const first = await roundTrip(browser, there, "/sign-in/openid", "swapped-1");
  const second = await roundTrip(browser, there, "/sign-in/openid", "swapped-1");
  const query = new URLSearchParams(first.split("?")[1]);
  query.set("state", new URLSearchParams(second.split("?")[1]).get("state") ?? "");
  const swapped = await browser.get(`/sign-in/openid/callback?${query}`);
  expectPage(swapped, 403, SAYS.refused);
  expectPage(await browser.get(second), 403, SAYS.stale);
  expect((await browser.get("/account")).status).toBe(303);
});

test("a callback works for ten minutes", async () => {
  const { there } = await linked(server, provider, "late-1");
  const browser = visitor(server);
  const callback = await roundTrip(browser, there, "/sign-in/openid", "late-1");
  server.clock.advance(10 * MINUTE);
  expectPage(await browser.get(callback), 403, SAYS.stale);
});

test("someone who cancels at the provider is told so, and where to continue", async () => {
  const browser = visitor(server);
  const begun = await browser.get("/sign-in/openid?next=/account/keys");
  const callback = await provider.browser().follow(begun.location, { error: "access_denied" });
  const seen = await browser.get(callback.slice(server.url.length));
  expectPage(seen, 403, SAYS.denied);
  expect(seen.html).toContain('href="/sign-in?next=%2Faccount%2Fkeys"');
});

test("the identity of a disabled account signs nobody in", async () => {
  const { ann, there } = await linked(server, provider, "disabled-1");
  await disableAccount(server.store, ann.account.email, server.clock.wall());
  const browser = visitor(server);
  const callback = await roundTrip(browser, there, "/sign-in/openid", "disabled-1");
  expectPage(await browser.get(callback), 403, SAYS.unlinked);
});

test("another site cannot send a browser to the provider", async () => {
  const ann = await someoneSignedIn(server);
  for (const [path, page] of [
    ["/sign-in/openid?next=/account/keys", "/sign-in?next=%2Faccount%2Fkeys"],
    ["/account/openid/link", "/account/security"],
    ["/account/confirm/openid?next=/account/keys", "/account/confirm?next=%2Faccount%2Fkeys"],
  ] as const) {
    const seen = await ann.get(path, { "sec-fetch-site": "cross-site" });
    expect([seen.status, seen.location]).toEqual([303, page]);
  }
});

test("with an authenticator app, the provider's word alone neither signs in nor confirms", async () => {
  const { ann, there } = await linked(server, provider, "coded-1");
  const { app } = await turnOn(server, ann);
  const browser = visitor(server);
  const path = "/sign-in/openid?next=/account/keys";
  const asked = await browser.get(await roundTrip(browser, there, path, "coded-1"));
  expectPage(asked, 200, "Enter your code");
  expect((await browser.get("/account")).status).toBe(303);
  const ticket = ticketIn(asked.html);
  expectPage(await browser.post("/sign-in/code", { ticket, code: "000000" }), 422, "Wrong code.");
  const seen = await browser.post("/sign-in/code", { ticket, code: app.next() });
  expect([seen.status, seen.location]).toEqual([303, "/account/keys"]);
  server.clock.advance(11 * MINUTE);
  const confirm = "/account/confirm/openid?next=/account/keys/new";
  const again = await ann.get(await roundTrip(ann, there, confirm, "coded-1"));
  expectPage(again, 200, "Enter your code");
  expect(await needsPassword(ann)).toBe(true);
  const proof = { ticket: ticketIn(again.html), code: app.next() };
  const done = await ann.post("/sign-in/code", proof);
  expect([done.status, done.location]).toEqual([303, "/account/keys/new"]);
  expect(await needsPassword(ann)).toBe(false);
});
