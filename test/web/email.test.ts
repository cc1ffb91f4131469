import { expect, setDefaultTimeout, test } from "bun:test";
import { readAccount } from "../../src/db/people/accounts.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { sharedServer } from "../support/replies.ts";
import { byName, optionsFrom, signInWith } from "./_passkeys.ts";
import { newDevice } from "./_authenticator.ts";
import { PASSWORD, type Seen, someoneSignedIn, visitor } from "./_visitor.ts";

// Password hashes are slow, even more so while other tests run.
setDefaultTimeout(30_000);

const server = await sharedServer();

const expectPage = (seen: Seen, status: number, text: string): void =>
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(text)]);

const signIn = async (email: string): Promise<number> =>
  (await visitor(server).post("/sign-in", { email, password: PASSWORD })).status;

test("a new address signs in, the old one does not, and everyone who is signed in stays so", async () => {
  const ann = await someoneSignedIn(server);
  const { id, email: old } = ann.account;
  const elsewhere = visitor(server);
  await elsewhere.post("/sign-in", { email: old, password: PASSWORD });
  const now = server.clock.wall();
  const { secret: token } = await createSession(server.store, id, "laptop", cryptoRandom, now);
  const email = `new-${old}`;
  const seen = await ann.post("/account/email", { email: ` New-${old.toUpperCase()} ` });
  expect(seen.location).toBe("/account/security?done=email");
  expectPage(await ann.get(seen.location ?? ""), 200, `You sign in with ${email} .`);
  expect((await elsewhere.get("/account")).text).toContain(email);
  expect((await server.call("GET", "/me", { token })).json).toMatchObject({ email });
  expect([await signIn(old), await signIn(email)]).toEqual([422, 303]);
  const noted = server.logged.map((line) => JSON.parse(line)).find(({ to }) => to === email);
  expect(noted).toMatchObject({
    level: "info",
    message: "an e-mail address was changed",
    account: old,
    address: "127.0.0.1",
  });
  await ann.post("/account/email", { email: old });
  expect(readAccount(server.store, id)?.email).toBe(old);
});

test("an address that is not one, or one's own, or taken, is refused, and stays to be mended", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  for (const [email, problem] of [
    ["ann", "Enter an e-mail address, such as ann@example.org."],
    [ann.account.email, "This is already your e-mail address."],
    [bob.account.email, `There is already an account for ${bob.account.email}.`],
  ] as const) {
    const seen = await ann.post("/account/email", { email });
    expectPage(seen, 422, problem);
    expect(seen.html).toContain(`value="${email}"`);
  }
  expect(readAccount(server.store, ann.account.id)?.email).toBe(ann.account.email);
});

test("it needs a fresh proof, without which nobody learns which addresses are taken", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  server.clock.advance(11 * MINUTE);
  const pages = new Set<string>();
  for (const email of [bob.account.email, `free-${bob.account.email}`]) {
    const seen = await ann.post("/account/email", { email });
    expectPage(seen, 422, "Enter your password to continue.");
    pages.add(seen.html.replaceAll(email, "EMAIL"));
  }
  expect(pages.size).toBe(1);
  const email = `new-${ann.account.email}`;
  const seen = await ann.post("/account/email", { email, password: PASSWORD });
  expect(seen.location).toBe("/account/security?done=email");
});

test("of two people who take one address at once, one gets it", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  const email = `both-${ann.account.email}`;
  const seen = await Promise.all([ann, bob].map((one) => one.post("/account/email", { email })));
  expect(seen.map(({ status }) => status).toSorted()).toEqual([303, 422]);
});

test("a passkey made under the old address signs in as before", async () => {
  const named = byName(server);
  const ann = await someoneSignedIn(named);
  const device = newDevice(named.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  await ann.send("/account/passkeys", { credential: device.make(options), name: "phone" });
  await ann.post("/account/email", { email: `key-${ann.account.email}` });
  expect((await signInWith(visitor(named), device)).status).toBe(200);
});

test("failures counted for an address before do not make its new person wait", async () => {
  const ann = await someoneSignedIn(server);
  const email = `tried-${ann.account.email}`;
  const stranger = visitor(server);
  for (let tries = 0; tries < 10; tries++)
    await stranger.post("/sign-in", { email, password: "wrong" });
  expect(await signIn(email)).toBe(429);
  await ann.post("/account/email", { email });
  expect(await signIn(email)).toBe(303);
});
