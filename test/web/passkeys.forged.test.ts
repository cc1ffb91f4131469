import { expect, test } from "bun:test";
import { disableAccount } from "../../src/db/people/accounts.ts";
import { listPasskeys } from "../../src/db/people/passkeys.ts";
import { sharedServer } from "../support/replies.ts";
import { newDevice } from "../support/web/authenticator.ts";
import { newCertificate } from "../support/web/certificate.ts";
import {
  annWithPasskey,
  byName,
  expectRefused,
  optionsFrom,
  SAYS,
  signInWith,
} from "../support/web/passkeys.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer();
const local = byName(server);

test.each([
  ["was given at another site", { origin: "https://evil.example" }],
  ["was given at another port of the same machine", { origin: "http://localhost:1" }],
  ["was made for another host", { host: "evil.example" }],
  [
    "answers a challenge that nobody gave",
    { challenge: Buffer.from("mine").toString("base64url") },
  ],
  ["was given without a finger or PIN", { verified: false }],
  ["names another person", { handle: Buffer.from("bob").toString("base64url") }],
  ["names nobody", { handle: "" }],
  ["is for a passkey being created", { type: "webauthn.create" }],
  ["has a counter that went back", { counter: 0 }],
  ["has a counter that did not change", { counter: 1 }],
])("an answer that %s signs nobody in", async (_what, lie) => {
  const { device } = await annWithPasskey(local);
  expectRefused(await signInWith(visitor(local), device, lie), SAYS.notIn);
});

test("an unknown passkey, another device's signature and a disabled account get the same answer", async () => {
  const { ann, device } = await annWithPasskey(local);
  const stranger = newDevice(local.url);
  expectRefused(await signInWith(visitor(local), stranger), SAYS.notIn);

  const forger = visitor(local);
  const options = await optionsFrom(forger, "/sign-in/passkey/options");
  const forged = { ...stranger.answer(options), id: device.id, rawId: device.id };
  expectRefused(await forger.send("/sign-in/passkey", { credential: forged }), SAYS.notIn);

  await disableAccount(server.store, ann.account.email, server.clock.wall());
  expectRefused(await signInWith(visitor(local), device), SAYS.notIn);
});

test.each([
  [null],
  [[]],
  ["text"],
  [{}],
  [{ credential: null }],
  [{ credential: { id: 7 } }],
  [{ credential: { id: "x", rawId: "x", type: "public-key" } }],
  [{ credential: { id: "x", response: { clientDataJSON: "%%%", attestationObject: "%%%" } } }],
])("a body that is not an answer is refused like a wrong answer: %j", async (body) => {
  const { ann } = await annWithPasskey(local);
  const browser = visitor(local);
  await optionsFrom(browser, "/sign-in/passkey/options");
  expectRefused(await browser.send("/sign-in/passkey", body), SAYS.notIn);
  expectRefused(await ann.send("/account/passkeys", body), SAYS.notKept);
  expectRefused(await ann.send("/account/confirm/passkey", body), SAYS.notYou);
});

test.each([
  ["at another site", { origin: "https://evil.example" }],
  ["for another host", { host: "evil.example" }],
  ["for another challenge", { challenge: "bWluZQ" }],
  ["without a finger or PIN", { verified: false }],
])("a passkey created %s is not stored", async (_how, lie) => {
  const ann = await someoneSignedIn(local);
  const device = newDevice(local.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  const seen = await ann.send("/account/passkeys", { credential: device.make(options, lie) });
  expectRefused(seen, SAYS.notKept);
  expect(await listPasskeys(server.store, ann.account.id)).toEqual([]);
});

test("a passkey with its maker's certificate is not stored, because checking it would send requests elsewhere", async () => {
  const ann = await someoneSignedIn(local);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  const credential = newDevice(local.url).make(options, { maker: newCertificate() });
  expectRefused(await ann.send("/account/passkeys", { credential }), SAYS.notKept);
});

test("a passkey signed by its own device is stored", async () => {
  const ann = await someoneSignedIn(local);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  const credential = newDevice(local.url).make(options, { maker: "none, signed" });
  expect((await ann.send("/account/passkeys", { credential })).status).toBe(200);
});
