import { expect, test } from "bun:test";
import { listPasskeys } from "../../src/db/people/passkeys.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { newDevice } from "./_authenticator.ts";
import { annWithPasskey, byName, expectRefused, optionsFrom, SAYS } from "./_passkeys.ts";
import { someoneSignedIn } from "./_visitor.ts";

const server = await sharedServer();
const local = byName(server);

test("a challenge for one visit makes no passkey in another, and none for signing in does", async () => {
  const ann = await someoneSignedIn(local);
  const bob = await someoneSignedIn(local, "bob");
  const device = newDevice(local.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  const credential = device.make(options);
  expectRefused(await bob.send("/account/passkeys", { credential }), SAYS.notKept);
  const other = await optionsFrom(ann, "/sign-in/passkey/options");
  const misled = device.make({ ...options, challenge: other.challenge });
  expectRefused(await ann.send("/account/passkeys", { credential: misled }), SAYS.notKept);
  expect((await ann.send("/account/passkeys", { credential })).status).toBe(200);
});

test("nobody registers a passkey that someone else has", async () => {
  const { device } = await annWithPasskey(local);
  const bob = await someoneSignedIn(local, "bob");
  const credential = device.make(await optionsFrom(bob, "/account/passkeys/options"));
  expectRefused(await bob.send("/account/passkeys", { credential }), SAYS.known);
});

test("an old proof must be renewed before a passkey is made; what was begun under a new one is finished", async () => {
  const ann = await someoneSignedIn(local);
  const device = newDevice(local.url);
  server.clock.advance(8 * MINUTE);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  server.clock.advance(3 * MINUTE);
  const led = await ann.send("/account/passkeys/options", {});
  expect([led.status, JSON.parse(led.html)]).toEqual([
    200,
    { next: "/account/confirm?next=%2Faccount%2Fsecurity" },
  ]);
  expect((await ann.send("/account/passkeys", { credential: device.make(options) })).status).toBe(
    200,
  );
});

test("the twenty-first passkey is refused", async () => {
  const ann = await someoneSignedIn(local);
  const late = newDevice(local.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  for (let count = 0; count < 20; count++) {
    const device = newDevice(local.url);
    const own = await optionsFrom(ann, "/account/passkeys/options");
    expect((await ann.send("/account/passkeys", { credential: device.make(own) })).status).toBe(
      200,
    );
  }
  expectRefused(
    await ann.send("/account/passkeys/options", {}),
    "You have 20 passkeys already: remove one first.",
  );
  expectRefused(
    await ann.send("/account/passkeys", { credential: late.make(options) }),
    "The account has 20 passkeys already: remove one first.",
  );
  expect((await ann.get("/account/security")).html).not.toContain("data-passkey");
});

test("a passkey is named as typed, else by its browser, and never invisibly", async () => {
  const { ann } = await annWithPasskey(local);
  const device = newDevice(local.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  const credential = device.make(options);
  expectRefused(
    await ann.send("/account/passkeys", { credential, name: "\u202Ephone" }),
    "A name has up to 100 characters, none of them invisible: choose another.",
  );
  await ann.send("/account/passkeys", { credential, name: " " });
  const kept = await listPasskeys(server.store, ann.account.id);
  expect(kept.find(({ id }) => id === device.id)?.name).toMatch(/^Bun/);
});
