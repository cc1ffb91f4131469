import { expect, test } from "bun:test";
import { changeEmail, readAccount } from "../../src/db/people/accounts.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { sharedServer } from "../support/replies.ts";
import { byName, optionsFrom, signInWith } from "../support/web/passkeys.ts";
import { newDevice } from "../support/web/authenticator.ts";
import {
  ownerSignedIn,
  PASSWORD,
  type Seen,
  someoneSignedIn,
  visitor,
} from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();

const expectPage = (seen: Seen, status: number, text: string): void =>
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(text)]);

const signIn = async (email: string): Promise<number> =>
  (await visitor(server).post("/sign-in", { email, password: PASSWORD })).status;

test("a new address signs in, the old one does not, and everyone who is signed in stays so", async () => {
  const ann = await ownerSignedIn(server);
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
  expect((await readAccount(server.store, id))?.email).toBe(old);
});

test("the owner's address that is not one, or the same, or taken, is refused, and stays to be mended", async () => {
  const [ann, bob] = [await ownerSignedIn(server), await someoneSignedIn(server, "bob")];
  for (const [email, problem] of [
    ["ann", "Enter an e-mail address, such as ann@example.org."],
    [ann.account.email, "This is already your e-mail address."],
    [bob.account.email, "This address cannot be used. Choose another one."],
  ] as const) {
    const seen = await ann.post("/account/email", { email });
    expectPage(seen, 422, problem);
    expect(seen.html).toContain(`value="${email}"`);
    expect(seen.text).not.toContain("already an account");
  }
  expect((await readAccount(server.store, ann.account.id))?.email).toBe(ann.account.email);
});

test("the owner needs a fresh proof", async () => {
  const ann = await ownerSignedIn(server);
  server.clock.advance(11 * MINUTE);
  const email = `new-${ann.account.email}`;
  const seen = await ann.post("/account/email", { email });
  expectPage(seen, 422, "Enter your password to continue.");
  const proven = await ann.post("/account/email", { email, password: PASSWORD });
  expect(proven.location).toBe("/account/security?done=email");
});

test("anyone else is told the owner's command, and learns of no address whether it has an account", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  const asked = `Ask them to run this command on the server's machine: docket account email ${ann.account.email} NEW-EMAIL`;
  expectPage(await ann.get("/account/security"), 200, "How to change your e-mail address");
  const page = await ann.get("/account/email");
  expectPage(page, 200, asked);
  expect(page.html).not.toContain('action="/account/email"');
  const seen = new Set<string>();
  const addresses = [bob.account.email, `free-${bob.account.email}`, ann.account.email, "ann", ""];
  for (const email of addresses)
    for (const proof of [{}, { password: "wrong" }, { password: PASSWORD }]) {
      const { status, html } = await ann.post("/account/email", { email, ...proof });
      seen.add(`${status} ${html}`);
    }
  server.clock.advance(11 * MINUTE);
  for (const email of addresses) {
    const { status, html } = await ann.post("/account/email", { email, password: PASSWORD });
    seen.add(`${status} ${html}`);
  }
  expect([...seen]).toEqual([expect.stringMatching(/^403 [^]*Only the owner of this server can/)]);
  expect((await readAccount(server.store, ann.account.id))?.email).toBe(ann.account.email);
});

test("the command that a person passes on is one word for each address, whatever is in it", async () => {
  const { email } = (await someoneSignedIn(server, "ann';$(id)`")).account;
  const browser = visitor(server);
  await browser.post("/sign-in", { email, password: PASSWORD });
  const quoted = `'${email.replaceAll("'", String.raw`'\''`)}'`;
  expectPage(await browser.get("/account/email"), 200, `docket account email ${quoted} NEW-EMAIL`);
});

test("of two accounts that take one address at once, one gets it", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  const email = `both-${ann.account.email}`;
  const ended = await Promise.allSettled(
    [ann, bob].map((one) => changeEmail(server.store, one.account.id, email)),
  );
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("a passkey made under the old address signs in as before", async () => {
  const named = byName(server);
  const ann = await ownerSignedIn(named);
  const device = newDevice(named.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  await ann.send("/account/passkeys", { credential: device.make(options), name: "phone" });
  await ann.post("/account/email", { email: `key-${ann.account.email}` });
  expect((await signInWith(visitor(named), device)).status).toBe(200);
});

test("failures counted for an address before do not make its new person wait", async () => {
  const ann = await ownerSignedIn(server);
  const email = `tried-${ann.account.email}`;
  const stranger = visitor(server);
  for (let tries = 0; tries < 10; tries++)
    await stranger.post("/sign-in", { email, password: "wrong" });
  expect(await signIn(email)).toBe(429);
  await ann.post("/account/email", { email });
  expect(await signIn(email)).toBe(303);
});
