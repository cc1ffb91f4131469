import { expect, test } from "bun:test";
import { listPasskeys } from "../../src/db/people/passkeys.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { newDevice } from "../support/web/authenticator.ts";
import {
  annWithPasskey,
  byName,
  expectRefused,
  optionsFrom,
  SAYS,
} from "../support/web/passkeys.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();
const local = byName(server);

test("a challenge for another browser session, or for signing in, creates no passkey", async () => {
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

test("nobody can register a passkey that someone else has", async () => {
  const { device } = await annWithPasskey(local);
  const bob = await someoneSignedIn(local, "bob");
  const credential = device.make(await optionsFrom(bob, "/account/passkeys/options"));
  expectRefused(await bob.send("/account/passkeys", { credential }), SAYS.known);
});

test("creating a passkey needs a recent proof when it starts, but not when it finishes", async () => {
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
    "You already have 20 passkeys. Remove one first.",
  );
  expectRefused(
    await ann.send("/account/passkeys", { credential: late.make(options) }),
    "This account already has 20 passkeys. Remove one first.",
  );
  expect((await ann.get("/account/security")).html).not.toContain("data-passkey");
});

test("a passkey has the name that was typed or else the browser's, and never an invisible one", async () => {
  const { ann } = await annWithPasskey(local);
  const device = newDevice(local.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  const credential = device.make(options);
  expectRefused(
    await ann.send("/account/passkeys", { credential, name: "\u202Ephone" }),
    "A name can have up to 100 characters, and no invisible ones. Choose another.",
  );
  await ann.send("/account/passkeys", { credential, name: " " });
  const kept = await listPasskeys(server.store, ann.account.id);
  expect(kept.find(({ id }) => id === device.id)?.name).toMatch(/^Bun/);
});
