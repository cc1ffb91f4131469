import { expect, test } from "bun:test";
import { listPasskeys } from "../../src/db/people/passkeys.ts";
import { listBrowserSessions } from "../../src/db/people/browser-sessions.ts";
import { DAY, MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { newDevice } from "../support/web/authenticator.ts";
import {
  annWithPasskey,
  byName,
  expectRefused,
  optionsFrom,
  SAYS,
  signInWith,
} from "../support/web/passkeys.ts";
import { PASSWORD, someoneSignedIn, type Visitor, visitor } from "../support/web/visitor.ts";

const server = await sharedServer();
const local = byName(server);

test("a new passkey signs its person in, in a browser session of its own, and shows when it was used", async () => {
  const { ann, device } = await annWithPasskey(local);
  server.clock.advance(DAY);
  const browser = visitor(local);
  const seen = await signInWith(browser, device);
  expect([seen.status, JSON.parse(seen.html)]).toEqual([200, { next: "/account/keys" }]);
  expect((await browser.get("/account")).text).toContain(ann.account.email);
  const [browserSession] = await listBrowserSessions(
    server.store,
    ann.account.id,
    server.clock.wall(),
  );
  expect(browserSession).toMatchObject({ method: "passkey", authenticatedAt: server.clock.wall() });
  const [passkey] = await listPasskeys(server.store, ann.account.id);
  expect(passkey).toMatchObject({
    name: "phone",
    host: "localhost",
    counter: 2,
    lastUsedAt: server.clock.wall(),
  });
});

test("browsers are asked for a passkey that needs no name, but a finger or PIN, and no certificate", async () => {
  const { ann, device } = await annWithPasskey(local);
  const made = await optionsFrom(ann, "/account/passkeys/options");
  expect(made).toMatchObject({
    rp: { id: "localhost", name: "Docket" },
    user: { id: Buffer.from(ann.account.uid).toString("base64url"), name: ann.account.email },
    attestation: "none",
    excludeCredentials: [{ id: device.id }],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const used = await optionsFrom(visitor(local), "/sign-in/passkey/options");
  expect(used).toMatchObject({ rpId: "localhost", userVerification: "required" });
  expect(used.allowCredentials).toBeUndefined();
});

test("an answer works once, within five minutes, in the browser that was asked", async () => {
  const { device } = await annWithPasskey(local);
  const browser = visitor(local);
  const answerOf = async () =>
    device.answer(await optionsFrom(browser, "/sign-in/passkey/options"));

  const credential = await answerOf();
  expectRefused(await visitor(local).send("/sign-in/passkey", { credential }), SAYS.notIn);
  const thief = visitor(local);
  await thief.send("/sign-in/passkey/options", {});
  expectRefused(await thief.send("/sign-in/passkey", { credential }), SAYS.notIn);
  expect((await browser.send("/sign-in/passkey", { credential })).status).toBe(200);
  expectRefused(await browser.send("/sign-in/passkey", { credential }), SAYS.notIn);

  const late = await answerOf();
  server.clock.advance(5 * MINUTE);
  expectRefused(await browser.send("/sign-in/passkey", { credential: late }), SAYS.notIn);
});

test("of twenty copies of one answer at once, one signs in", async () => {
  const { device } = await annWithPasskey(local);
  const browser = visitor(local);
  const credential = device.answer(await optionsFrom(browser, "/sign-in/passkey/options"));
  const copies = Array.from({ length: 20 }, () => browser.send("/sign-in/passkey", { credential }));
  const statuses = (await Promise.all(copies)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
});

test("a passkey without a counter signs in again and again, but never twice with one answer", async () => {
  const ann = await someoneSignedIn(local);
  const device = newDevice(local.url);
  const made = await optionsFrom(ann, "/account/passkeys/options");
  await ann.send("/account/passkeys", { credential: device.make(made, { counter: 0 }) });
  const browser = visitor(local);
  for (let times = 0; times < 2; times++) {
    const options = await optionsFrom(browser, "/sign-in/passkey/options");
    const credential = device.answer(options, { counter: 0 });
    expect((await browser.send("/sign-in/passkey", { credential })).status).toBe(200);
    expectRefused(await browser.send("/sign-in/passkey", { credential }), SAYS.notIn);
  }
});

test("a passkey renews the proof for its own account, and for no other", async () => {
  const { ann, device } = await annWithPasskey(local);
  const bob = await someoneSignedIn(local, "bob");
  server.clock.advance(11 * MINUTE);
  const confirm = async (browser: Visitor) => {
    const options = await optionsFrom(browser, "/sign-in/passkey/options");
    const credential = device.answer(options);
    return browser.send("/account/confirm/passkey", { credential, next: "/account/security" });
  };
  expectRefused(await confirm(bob), SAYS.notYou);
  expect(JSON.parse((await bob.send("/account/passkeys/options", {})).html)).toHaveProperty("next");
  expect(JSON.parse((await confirm(ann)).html)).toEqual({ next: "/account/security" });
  expect(JSON.parse((await ann.send("/account/passkeys/options", {})).html)).toHaveProperty(
    "options",
  );
});

test("a removed passkey signs nobody in, and only its own person can remove it", async () => {
  const { ann, device } = await annWithPasskey(local);
  const bob = await someoneSignedIn(local, "bob");
  const path = `/account/passkeys/${device.id}/remove`;
  expect((await bob.post(path)).location).toBe("/account/security");
  expect((await signInWith(visitor(local), device)).status).toBe(200);

  server.clock.advance(11 * MINUTE);
  const asked = await ann.post(path);
  expect([asked.status, asked.text]).toEqual([
    422,
    expect.stringContaining("“phone” is not removed yet."),
  ]);
  expect(asked.text).toContain("Enter your password to continue.");
  expect((await ann.post(path, { password: "wrong password" })).text).toContain("Wrong password.");
  expect((await signInWith(visitor(local), device)).status).toBe(200);

  const removed = await ann.post(path, { password: PASSWORD });
  expect([removed.status, removed.location]).toEqual([
    303,
    "/account/security?done=passkey-removed",
  ]);
  expectRefused(await signInWith(visitor(local), device), SAYS.notIn);
});

test("at an IP address there are no passkeys, and the pages link to where there are", async () => {
  const ann = await someoneSignedIn(server);
  for (const path of ["/sign-in/passkey/options", "/account/passkeys/options", "/sign-in/passkey"])
    expectRefused(await ann.send(path, {}), SAYS.nowhere);
  const security = await ann.get("/account/security");
  expect(security.html).toContain(`href="${local.url}/account/security"`);
  expect(security.html).not.toContain("data-passkey");
  const signIn = await visitor(server).get("/sign-in?next=/account/keys");
  expect(signIn.html).toContain(`href="${local.url}/sign-in?next=%2Faccount%2Fkeys"`);
  expect((await visitor(local).get("/sign-in?next=/account")).html).toContain('data-passkey="use"');
});

test("no other site can make a browser start or finish with a passkey", async () => {
  const { ann } = await annWithPasskey(local);
  for (const path of [
    "/sign-in/passkey/options",
    "/account/passkeys/options",
    "/account/passkeys",
  ]) {
    const seen = await ann.post(path, {}, { origin: "https://evil.example" });
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining("nothing was changed")]);
  }
});

test("someone who signed in with a passkey can confirm with it, and returns to the same page", async () => {
  const { ann, device } = await annWithPasskey(local);
  const browser = visitor(local);
  await signInWith(browser, device);
  server.clock.advance(11 * MINUTE);
  const link = 'href="/account/confirm?next=%2Faccount%2Fkeys%2Fnew"';
  expect((await browser.get("/account/keys/new")).html).toContain(link);
  expect((await ann.get("/account/keys/new")).html).not.toContain(link);
  const asked = await browser.post(`/account/passkeys/${device.id}/remove`);
  expect(asked.html).toContain('href="/account/confirm?next=%2Faccount%2Fsecurity"');
  const page = await browser.get("/account/confirm?next=/account/keys");
  expect(page.html).toContain('data-action="/account/confirm/passkey" data-next="/account/keys"');
});
