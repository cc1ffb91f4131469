import { beforeEach, expect, test } from "bun:test";
import { networks } from "../../src/domain/base/usage.ts";
import { sharedServer } from "../support/replies.ts";
import { makeKey } from "../support/web/keys.ts";
import { annWithPasskey, byName, signInWith } from "../support/web/passkeys.ts";
import { annWithApp } from "../support/web/authenticator-app.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer({ settings: { isProxy: networks(["127.0.0.1"]) } });
const FROM = "198.51.100.7";
const there = { "x-forwarded-for": FROM, origin: server.url };

let seen = 0;
beforeEach(() => {
  seen = server.logged.length;
});

/** What the log has had since the test began, except for requests. Without time and level. */
const noted = () =>
  server.logged
    .slice(seen)
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message !== "request")
    .map(({ time: _time, level: _level, ...rest }) => rest);

test("The log says who signed in, how and from where, and never with what secret", async () => {
  const ann = await someoneSignedIn(server);
  const account = ann.account.email;
  seen = server.logged.length;
  await visitor(server).post("/sign-in", { email: account, password: PASSWORD }, there);
  await ann.post("/account/confirm", { password: PASSWORD }, there);
  expect(noted()).toEqual([
    { message: "signed in", address: FROM, by: "password", account },
    { message: "confirmed", address: FROM, account },
  ]);
  expect(server.logged.join("\n")).not.toContain(PASSWORD);
});

test("So it does with a passkey, and with a code beside the password", async () => {
  const { ann, device } = await annWithPasskey(byName(server));
  const careful = await annWithApp(server);
  seen = server.logged.length;
  await signInWith(visitor(byName(server)), device);
  const browser = visitor(server);
  const { email } = careful.ann.account;
  const asked = await browser.post("/sign-in", { email, password: PASSWORD }, there);
  const ticket = /name="ticket" value="([^"]*)"/.exec(asked.html)?.[1] ?? "";
  await browser.post("/sign-in/code", { ticket, code: careful.app.next() }, there);
  const local = { message: "signed in", address: "127.0.0.1", by: "passkey" };
  expect(noted()).toEqual([
    { ...local, account: ann.account.email },
    { ...local, address: FROM, by: "password and code", account: email },
  ]);
});

test("The log says what someone changed about how their account is reached", async () => {
  const ann = await someoneSignedIn(server);
  const account = ann.account.email;
  seen = server.logged.length;
  const { key } = await makeKey(server, ann.account.id, "bot");
  await ann.post(`/account/keys/${key.id}/replace`, { grace: "1h" }, there);
  await ann.post(`/account/keys/${key.id}/revoke`, {}, there);
  const made = { name: "bot", read: "on", where: "account", expires: "90d" };
  expect((await ann.post("/account/keys", made, there)).status).toBe(200);
  await ann.post("/account/password", { current: PASSWORD, password: "another good one" }, there);
  expect(noted()).toEqual(
    ["an API key was replaced", "an API key was revoked", "an API key was made"]
      .concat("the password was changed")
      .map((message) => ({ message, address: FROM, account })),
  );
});
