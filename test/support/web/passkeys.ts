import { expect } from "bun:test";
import type { TestServer } from "../server.ts";
import { type Device, newDevice } from "./authenticator.ts";
import { type Seen, someoneSignedIn, type Visitor } from "./visitor.ts";

/** The same server under a host name, because browsers create no passkeys at an IP address. */
export const byName = (server: TestServer): TestServer => ({
  ...server,
  url: `http://localhost:${new URL(server.url).port}`,
});

export const SAYS = {
  notIn: "This passkey did not sign you in. Try again, or use your password.",
  notYou: "This passkey did not confirm that it is you. Try again, or use your password.",
  notKept: "The passkey was not saved. It took too long, or it cannot be used here. Try again.",
  known: "This passkey is already registered on this server.",
  nowhere:
    "Passkeys work only over https with a host name, or on localhost. They do not work at this address.",
} as const;

/** The options that a browser gets to create or use a passkey. */
export const optionsFrom = async (browser: Visitor, path: string) => {
  const seen = await browser.send(path, {});
  expect([seen.status, Object.keys(JSON.parse(seen.html))]).toEqual([200, ["options"]]);
  return JSON.parse(seen.html).options;
};

export const expectRefused = (seen: Seen, error: string): void =>
  expect([seen.status, JSON.parse(seen.html)]).toEqual([422, { error }]);

/** Ann, signed in with her password, with a passkey on a device. */
export const annWithPasskey = async (server: TestServer) => {
  const ann = await someoneSignedIn(server);
  const device = newDevice(server.url);
  const credential = device.make(await optionsFrom(ann, "/account/passkeys/options"));
  const seen = await ann.send("/account/passkeys", { credential, name: "phone" });
  const next = "/account/security?done=passkey-made";
  expect([seen.status, JSON.parse(seen.html)]).toEqual([200, { next }]);
  return { ann, device };
};

/** Answers as the device does, except for what `lie` changes. */
export const signInWith = async (browser: Visitor, device: Device, lie = {}): Promise<Seen> => {
  const options = await optionsFrom(browser, "/sign-in/passkey/options");
  const credential = device.answer(options, lie);
  return browser.send("/sign-in/passkey", { credential, next: "/account/keys" });
};
