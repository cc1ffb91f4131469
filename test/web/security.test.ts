import { isRemembered, rememberRedirect } from "../../src/db/people/redirects.ts";
import { expect, test } from "bun:test";
import { createKey, listKeys } from "../../src/db/people/api-keys.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { createBrowserSession, listBrowserSessions } from "../../src/db/people/browser-sessions.ts";
import type { Tx } from "../../src/db/writer.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { postForm } from "../support/extension.ts";
import { CHROME } from "../support/redirects.ts";
import { sharedServer } from "../support/replies.ts";
import { NOON } from "../support/server.ts";
import {
  PASSWORD,
  type Seen,
  someoneSignedIn,
  type Visitor,
  visitor,
} from "../support/web/visitor.ts";

const server = await sharedServer();
const NEW = "a much better sentence";

const expectPage = (seen: Seen, status: number, text: string): void =>
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(text)]);

/** The same person in another browser. */
const elsewhere = async (account: { readonly id: number }, client: string): Promise<Visitor> => {
  const details = { method: "password", client, address: "192.0.2.7" } as const;
  const now = server.clock.wall();
  const secret = await createBrowserSession(server.store, account.id, details, cryptoRandom, now);
  const browser = visitor(server);
  browser.cookies.set(`docket-${new URL(server.url).port}`, secret);
  return browser;
};

const isSignedIn = async (browser: Visitor): Promise<boolean> =>
  (await browser.get("/account")).status === 200;

const browserSessionIds = async (account: { readonly id: number }): Promise<readonly string[]> =>
  (await listBrowserSessions(server.store, account.id, server.clock.wall())).map(({ id }) => id);

test("a new password signs out everything except this browser, which stays known", async () => {
  const ann = await someoneSignedIn(server);
  const other = await elsewhere(ann.account, "Firefox");
  const now = server.clock.wall();
  const { secret } = await createSession(server.store, ann.account.id, "laptop", cryptoRandom, now);
  const seen = await ann.post("/account/password", { current: PASSWORD, password: NEW });
  expect([seen.status, seen.location]).toEqual([303, "/account/security?done=password"]);
  expectPage(
    await ann.get(seen.location ?? ""),
    200,
    "Your password is changed. All other browsers",
  );
  expect([await isSignedIn(ann), await isSignedIn(other)]).toEqual([true, false]);
  expect((await server.call("GET", "/me", { token: secret })).status).toBe(401);
  const form = { email: ann.account.email };
  expect((await visitor(server).post("/sign-in", { ...form, password: PASSWORD })).status).toBe(
    422,
  );
  expect((await visitor(server).post("/sign-in", { ...form, password: NEW })).status).toBe(303);
  expect([...ann.cookies.keys()].some((name) => name.startsWith("docket-known"))).toBe(true);
});

test("a cookie copied before a new password, or before a proof, no longer works", async () => {
  for (const [path, form] of [
    ["/account/password", { current: PASSWORD, password: NEW }],
    ["/account/confirm", { password: PASSWORD }],
  ] as const) {
    const ann = await someoneSignedIn(server);
    const thief = visitor(server);
    for (const [name, value] of ann.cookies) thief.cookies.set(name, value);
    expect((await thief.get("/account")).status).toBe(200);
    expect((await ann.post(path, form)).status).toBe(303);
    expect((await thief.get("/account")).location).toBe("/sign-in?next=%2Faccount");
    expect((await ann.get("/account")).status).toBe(200);
  }
});

test("an extension that was allowed needs the password again after it changes", async () => {
  const ann = await someoneSignedIn(server);
  const work = (tx: Tx) => rememberRedirect(tx, ann.account.id, CHROME, NOON);
  await server.store.writer.write(work);
  await ann.post("/account/password", { current: PASSWORD, password: NEW });
  expect(await isRemembered(server.store, ann.account.id, CHROME)).toBe(false);
});

test("signing a browser out also ends the pairing code that it created", async () => {
  for (const how of ["end", "end-others"] as const) {
    const ann = await someoneSignedIn(server);
    const [browserSession] = await listBrowserSessions(
      server.store,
      ann.account.id,
      server.clock.wall(),
    );
    const here = await elsewhere(ann.account, "Firefox");
    const page = await ann.post("/account/devices/pair");
    const code = /<code class="copy">([^<]*)</.exec(page.html)?.[1] ?? "";
    expect(code).not.toBe("");
    await here.post(`/account/visits/${how === "end" ? `${browserSession?.id}/end` : how}`);
    const form = { grant_type: "urn:docket:pairing", client_id: "docket-extension", code };
    const answer = await postForm(server, "/oauth/token", form);
    expect([answer.status, answer.json.error]).toEqual([400, "invalid_grant"]);
  }
});

test("an unknown notice is not shown", async () => {
  const ann = await someoneSignedIn(server);
  for (const done of ["constructor", "__proto__", "toString", ""])
    expect((await ann.get(`/account/security?done=${done}`)).html).not.toContain('role="status"');
});

test("a new password keeps API keys, unless the person revokes them too", async () => {
  const ann = await someoneSignedIn(server);
  const bob = await someoneSignedIn(server, "bob");
  const wish = { name: "bot", scopes: ["read"] as const, restriction: null, expiresAt: null };
  const now = server.clock.wall();
  const [hers, his] = await Promise.all(
    [ann, bob].map(({ account }) => createKey(server.store, account.id, wish, cryptoRandom, now)),
  );
  const works = async (secret = "") =>
    (await server.call("GET", "/me", { token: secret })).status === 200;
  await ann.post("/account/password", { current: PASSWORD, password: NEW });
  expect(await works(hers?.secret)).toBe(true);
  const form = { current: NEW, password: `${NEW} still`, revoke_keys: "yes" };
  const seen = await ann.post("/account/password", form);
  expectPage(await ann.get(seen.location ?? ""), 200, "and your API keys are revoked.");
  expect([await works(hers?.secret), await works(his?.secret)]).toEqual([false, true]);
  const [key] = await listKeys(server.store, ann.account.id);
  expect(key?.revokedAt).toBe(now);
});

test.each([
  ["", NEW, "Enter your current password."],
  ["wrong password", NEW, "Wrong password."],
  [PASSWORD, "short", "The password must have at least 8 characters"],
  [PASSWORD, "password1", "This password is too easy to guess"],
  [PASSWORD, PASSWORD, "This is already your password. Choose a different one."],
])(
  "from %p to %p the password is not changed, and the form says why",
  async (current, password, why) => {
    const ann = await someoneSignedIn(server);
    const other = await elsewhere(ann.account, "Firefox");
    const seen = await ann.post("/account/password", { current, password, revoke_keys: "yes" });
    expectPage(seen, 422, why);
    expect(seen.html).toMatch(/<details open>/);
    expect(seen.html).toMatch(/name="revoke_keys"[^>]* checked/);
    expect(seen.html).not.toContain(`value="${password}"`);
    expect(await isSignedIn(other)).toBe(true);
  },
);

test("a password is the same whether its letters are composed or not, wherever it is asked for", async () => {
  const ann = await someoneSignedIn(server);
  const composed = "pässwörd für bücher 9";
  const decomposed = composed.normalize("NFD");
  const signIn = async (password: string) =>
    (await visitor(server).post("/sign-in", { email: ann.account.email, password })).status;
  const change = (current: string, password: string) =>
    ann.post("/account/password", { current, password });
  expect((await change(PASSWORD, decomposed)).status).toBe(303);
  expect([await signIn(composed), await signIn(decomposed)]).toEqual([303, 303]);
  expect((await ann.post("/account/confirm", { password: composed })).status).toBe(303);
  expectPage(await change(decomposed, composed), 422, "This is already your password.");
  expect((await change(composed, NEW)).status).toBe(303);
});

test("a try with a password of several forms counts once", async () => {
  const ann = await someoneSignedIn(server);
  const form = { current: "fälsch geraten", password: NEW };
  for (let tries = 0; tries < 10; tries++)
    expectPage(await ann.post("/account/password", form), 422, "Wrong password.");
  expectPage(
    await ann.post("/account/password", form),
    422,
    "Too many attempts to sign in have failed",
  );
});

test("someone who guesses the current password has to wait, as when signing in", async () => {
  const ann = await someoneSignedIn(server);
  const form = { current: "wrong password", password: NEW };
  for (let tries = 0; tries < 10; tries++)
    expect((await ann.post("/account/password", form)).status).toBe(422);
  const seen = await ann.post("/account/password", { ...form, current: PASSWORD });
  expectPage(seen, 422, "Too many attempts to sign in have failed");
});

test("changing the password is a proof of who is there", async () => {
  const ann = await someoneSignedIn(server);
  server.clock.advance(11 * MINUTE);
  await ann.post("/account/password", { current: PASSWORD, password: NEW });
  expect((await ann.get("/account/keys/new")).html).not.toContain("Confirm with your password");
});

test("signed-in browsers are listed, and each other one can be signed out", async () => {
  const ann = await someoneSignedIn(server);
  const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const other = await elsewhere(ann.account, agent);
  const bob = await someoneSignedIn(server, "bob");
  const page = await ann.get("/account/security");
  expectPage(page, 200, "Firefox on Linux 192.0.2.7 password");
  expect(page.text).toContain("this browser");
  const path = /action="(\/account\/visits\/[^/]+\/end)"/.exec(page.html)?.[1] ?? "";

  await bob.post(path);
  expect(await isSignedIn(other)).toBe(true);
  const seen = await ann.post(path);
  expect([seen.status, seen.location]).toEqual([303, "/account/security?done=ended"]);
  expect([await isSignedIn(other), await isSignedIn(ann)]).toEqual([false, true]);
  expect((await ann.post(path)).location).toBe("/account/security?done=ended");
});

test("all other browsers of the account are signed out at once, and nobody else is", async () => {
  const ann = await someoneSignedIn(server);
  const others = [await elsewhere(ann.account, "a"), await elsewhere(ann.account, "b")];
  const bob = await someoneSignedIn(server, "bob");
  expect((await browserSessionIds(ann.account)).length).toBe(3);
  const seen = await ann.post("/account/visits/end-others");
  expect(seen.location).toBe("/account/security?done=ended-others");
  expect(await Promise.all([ann, bob, ...others].map(isSignedIn))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("browser names and extension addresses are shown as text", async () => {
  const ann = await someoneSignedIn(server);
  await elsewhere(ann.account, '<script>alert("x")</script>');
  const uri = `https://${"a".repeat(32)}.chromiumapp.org/<b>`;
  await server.store.writer.write((tx) =>
    rememberRedirect(tx, ann.account.id, uri, server.clock.wall()),
  );
  const { html } = await ann.get("/account/security");
  expect(html).not.toContain("<script>alert");
  expect(html).not.toContain("<b>");
  expect(html).toContain("&lt;script>alert");
});

test("an allowed extension can be forgotten, only by its own person", async () => {
  const ann = await someoneSignedIn(server);
  const bob = await someoneSignedIn(server, "bob");
  const uri = `https://${"a".repeat(32)}.chromiumapp.org/`;
  await server.store.writer.write((tx) =>
    rememberRedirect(tx, ann.account.id, uri, server.clock.wall()),
  );
  await bob.post("/account/redirects/remove", { uri });
  expectPage(await ann.get("/account/security"), 200, uri);
  const seen = await ann.post("/account/redirects/remove", { uri });
  expect(seen.location).toBe("/account/security?done=forgotten");
  expect((await ann.get("/account/security")).text).not.toContain(uri);
});

test("strangers and other sites can do none of this", async () => {
  const ann = await someoneSignedIn(server);
  const [browserSessionId = ""] = await browserSessionIds(ann.account);
  for (const path of [
    "/account/password",
    `/account/visits/${browserSessionId}/end`,
    "/account/visits/end-others",
    "/account/redirects/remove",
    "/account/server/invitations",
    "/account/server/invitations/x/withdraw",
    "/account/server/people/1/disable",
    "/account/server/people/1/reset",
    "/account/passkeys/x/remove",
    "/account/email",
    "/account/delete",
    "/account/authenticator/new",
    "/account/authenticator",
    "/account/authenticator/codes",
    "/account/authenticator/remove",
    "/account/openid/link",
    "/account/openid/unlink",
  ]) {
    expect((await visitor(server).post(path)).location).toBe("/sign-in");
    const seen = await ann.post(path, { current: PASSWORD, password: NEW }, { origin: "null" });
    expectPage(seen, 403, "nothing was changed");
  }
  expect(await isSignedIn(ann)).toBe(true);
});
