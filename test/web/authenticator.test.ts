import { expect, test } from "bun:test";
import { decodeQR } from "qr/decode.js";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { createBrowserSession } from "../../src/db/people/browser-sessions.ts";
import { codeFor, extension } from "../support/extension.ts";
import { sharedServer } from "../support/replies.ts";
import { annWithApp, appFrom, ticketIn, turnOn } from "../support/web/authenticator-app.ts";
import { byName, optionsFrom, signInWith } from "../support/web/passkeys.ts";
import { newDevice } from "../support/web/authenticator.ts";
import {
  PASSWORD,
  type Seen,
  someoneSignedIn,
  type Visitor,
  visitor,
} from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();

const expectPage = (seen: Seen, status: number, text: string): void =>
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(text)]);

const isSignedIn = async (browser: Visitor): Promise<boolean> =>
  (await browser.get("/account")).status === 200;

/** Signs in with the password. Returns the ticket of the form that asks for the code. */
const withPassword = async (browser: Visitor, email: string, next = "/tasks"): Promise<string> => {
  const seen = await browser.post("/sign-in", { email, password: PASSWORD, next });
  expectPage(seen, 200, "Enter your code");
  expect(await isSignedIn(browser)).toBe(false);
  return ticketIn(seen.html);
};

const newBrowser = async (email: string, next?: string) => {
  const browser = visitor(server);
  return { browser, ticket: await withPassword(browser, email, next) };
};

test("a password signs in only together with a code, which counts once", async () => {
  const { ann, app } = await annWithApp(server);
  const { browser, ticket } = await newBrowser(ann.account.email, "/account/keys");
  const code = app.next();
  const seen = await browser.post("/sign-in/code", { ticket, code });
  expect([seen.status, seen.location]).toEqual([303, "/account/keys"]);
  expect(await isSignedIn(browser)).toBe(true);
  const other = await newBrowser(ann.account.email);
  expectPage(
    await other.browser.post("/sign-in/code", { ticket: other.ticket, code }),
    422,
    "This code has already been used. Wait until your app shows the next one.",
  );
  expect(await isSignedIn(other.browser)).toBe(false);
  const next = { ticket: other.ticket, code: app.next() };
  expect((await other.browser.post("/sign-in/code", next)).status).toBe(303);
});

test("the code that turned the second factor on does not sign in as well", async () => {
  const { ann, app } = await annWithApp(server);
  const { browser, ticket } = await newBrowser(ann.account.email);
  const seen = await browser.post("/sign-in/code", { ticket, code: app.at(0) });
  expectPage(seen, 422, "This code has already been used.");
});

test("of many requests with one code, or one recovery code, one signs in", async () => {
  const { ann, app, codes } = await annWithApp(server);
  for (const code of [app.next(), codes[0] ?? ""]) {
    const browsers = [];
    for (let at = 0; at < 3; at++) browsers.push(await newBrowser(ann.account.email));
    const seen = await Promise.all(
      browsers.map(({ browser, ticket }) => browser.post("/sign-in/code", { ticket, code })),
    );
    expect(seen.map(({ status }) => status).toSorted()).toEqual([303, 422, 422]);
  }
});

test("each recovery code signs in once, however it is typed", async () => {
  const { ann, codes } = await annWithApp(server);
  expect(codes).toHaveLength(10);
  for (const code of codes)
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
  const [first = "", second = ""] = codes;
  const one = await newBrowser(ann.account.email);
  const typed = { ticket: one.ticket, code: ` ${first.toLowerCase().replaceAll("-", " ")}` };
  expect((await one.browser.post("/sign-in/code", typed)).status).toBe(303);
  expectPage(await one.browser.get("/account/security"), 200, "9 recovery codes left");
  const again = await newBrowser(ann.account.email);
  const used = await again.browser.post("/sign-in/code", { ticket: again.ticket, code: first });
  expectPage(used, 422, "Wrong code.");
  const other = { ticket: again.ticket, code: second };
  expect((await again.browser.post("/sign-in/code", other)).status).toBe(303);
});

test("new recovery codes replace the old ones, and none is stored in the clear", async () => {
  const { ann, codes } = await annWithApp(server);
  const seen = await ann.post("/account/authenticator/codes");
  expectPage(seen, 200, "Your old recovery codes no longer work.");
  const fresh = /<pre class="copy">([^<]*)<\/pre>/.exec(seen.html)?.[1]?.split("\n") ?? [];
  expect(new Set([...codes, ...fresh]).size).toBe(20);
  const { browser, ticket } = await newBrowser(ann.account.email);
  const old = await browser.post("/sign-in/code", { ticket, code: codes[0] ?? "" });
  expectPage(old, 422, "Wrong code.");
  expect((await browser.post("/sign-in/code", { ticket, code: fresh[0] ?? "" })).status).toBe(303);
  expect((await ann.get("/account/security")).html).not.toContain(fresh[1] ?? "");
});

test("a ticket is good in one browser, for ten minutes, and only while the password stands", async () => {
  const { ann, app, codes } = await annWithApp(server);
  const { ticket } = await newBrowser(ann.account.email);
  const thief = await visitor(server).post("/sign-in/code", { ticket, code: app.next() });
  expect([thief.status, thief.location]).toEqual([303, "/sign-in?late=yes"]);
  const late = await newBrowser(ann.account.email);
  server.clock.advance(11 * MINUTE);
  const seen = await late.browser.post("/sign-in/code", { ticket: late.ticket, code: app.next() });
  expect([seen.status, seen.location]).toEqual([303, "/sign-in?late=yes"]);
  expectPage(await late.browser.get("/sign-in?late=yes"), 200, "Sign in again.");
  const locked = await newBrowser(ann.account.email);
  const change = { current: PASSWORD, password: "a much better sentence", code: codes[0] ?? "" };
  expect((await ann.post("/account/password", change)).location).toBe(
    "/account/security?done=password",
  );
  const form = { ticket: locked.ticket, code: app.next() };
  expect((await locked.browser.post("/sign-in/code", form)).location).toBe("/sign-in?late=yes");
  expect(await isSignedIn(locked.browser)).toBe(false);
});

test("guessing codes gets five attempts, which the right password does not renew", async () => {
  const { ann, app } = await annWithApp(server);
  const { email } = ann.account;
  for (let tries = 0; tries < 5; tries++) {
    const { browser, ticket } = await newBrowser(email);
    const seen = await browser.post("/sign-in/code", { ticket, code: app.at(5 + tries) });
    expectPage(seen, 422, "Wrong code.");
  }
  const { browser, ticket } = await newBrowser(email);
  const right = await browser.post("/sign-in/code", { ticket, code: app.at(1) });
  expectPage(right, 422, "Too many attempts to sign in have failed. Try again in 15 s.");
  const failures = server.logged.map((line) => JSON.parse(line)).filter(({ by }) => by === "code");
  expect(failures.slice(-6)).toMatchObject([
    ...Array.from({ length: 5 }, () => ({ account: email, because: "refused" })),
    { account: email, because: "throttled" },
  ]);
});

test("a stranger's guesses do not keep the person out of a browser of theirs", async () => {
  const { ann, app } = await annWithApp(server);
  const { email } = ann.account;
  const known = await newBrowser(email);
  await known.browser.post("/sign-in/code", { ticket: known.ticket, code: app.next() });
  await known.browser.post("/sign-out");
  const stranger = await newBrowser(email);
  for (let tries = 0; tries < 6; tries++)
    await stranger.browser.post("/sign-in/code", { ticket: stranger.ticket, code: "000000" });
  const ticket = await withPassword(known.browser, email);
  const seen = await known.browser.post("/sign-in/code", { ticket, code: app.next() });
  expect(seen.status).toBe(303);
});

test("what cannot be undone asks for the password and a code, once the last proof is old", async () => {
  const { ann, app } = await annWithApp(server);
  server.clock.advance(11 * MINUTE);
  const asked = await ann.post("/account/authenticator/codes");
  expectPage(asked, 422, "Confirm with your password");
  expect(asked.html).toContain('name="code"');
  for (const [form, problem] of [
    [{ password: PASSWORD }, "Enter the code from your authenticator app."],
    [{ password: PASSWORD, code: "000000" }, "Wrong code."],
    [{ password: "wrong", code: app.next() }, "Wrong password."],
  ] as const)
    expectPage(await ann.post("/account/authenticator/codes", form), 422, problem);
  const form = { password: PASSWORD, code: app.next() };
  expectPage(await ann.post("/account/authenticator/codes", form), 200, "Your recovery codes");
});

test("the page that confirms who is there, and a new password, ask for a code too", async () => {
  const { ann, app } = await annWithApp(server);
  expect((await ann.get("/account/confirm")).html).toContain('name="code"');
  const lacking = await ann.post("/account/confirm", { password: PASSWORD });
  expectPage(lacking, 422, "Enter the code from your authenticator app.");
  const both = { password: PASSWORD, code: app.next() };
  expect((await ann.post("/account/confirm", both)).status).toBe(303);
  const change = { current: PASSWORD, password: "a much better sentence" };
  const without = await ann.post("/account/password", change);
  expectPage(without, 422, "Enter the code from your authenticator app.");
  const wrong = await ann.post("/account/password", { ...change, code: "000000" });
  expectPage(wrong, 422, "Wrong code.");
  const seen = await ann.post("/account/password", { ...change, code: app.next() });
  expect(seen.location).toBe("/account/security?done=password");
});

test("turning it on shows a secret, as text and as a QR code that says the same", async () => {
  const ann = await someoneSignedIn(server);
  const { html } = await ann.post("/account/authenticator/new");
  const [, address = ""] = /href="(otpauth:[^"]+)"/.exec(html) ?? [];
  const written = address.replaceAll("&amp;", "&");
  const secret = /<code class="copy">([A-Z2-7]{32})</.exec(html)?.[1] ?? "";
  expect(written).toBe(
    `otpauth://totp/Docket:${encodeURIComponent(ann.account.email)}?secret=${secret}&issuer=Docket`,
  );
  expect(decodeQR(pictureOf(html))).toBe(written);
  const second = (await ann.post("/account/authenticator/new")).html;
  expect(second).not.toContain(secret);
});

/** The QR code of a page, eight pixels for each of its squares. */
const pictureOf = (html: string) => {
  const size = Number(/class="qr".*?viewBox="0 0 (\d+)/.exec(html)?.[1]);
  const scale = 8;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let at = 0; at < scale; at++) data.fill(0, start + at * 4, start + at * 4 + 3);
    }
  return { width, height: width, data };
};

test("a wrong code turns nothing on, and the same secret can be tried again", async () => {
  const ann = await someoneSignedIn(server);
  const shown = await ann.post("/account/authenticator/new");
  const ticket = ticketIn(shown.html);
  const app = appFrom(server, shown.html);
  for (const [code, problem] of [
    ["", "Enter the code from your authenticator app."],
    ["000000", "Wrong code. Check that the clock of your phone is right"],
    [app.at(2), "Wrong code."],
  ] as const)
    expectPage(await ann.post("/account/authenticator", { ticket, code }), 422, problem);
  expectPage(await ann.get("/account/security"), 200, "Set up an authenticator app");
  const bob = await someoneSignedIn(server, "bob");
  const stolen = await bob.post("/account/authenticator", { ticket, code: app.at(0) });
  expect(stolen.location).toBe("/account/security");
  expect((await ann.post("/account/authenticator", { ticket, code: app.at(0) })).status).toBe(200);
  expectPage(await ann.get("/account/security"), 200, "10 recovery codes left");
  const again = await ann.post("/account/authenticator", { ticket, code: app.next() });
  expect(again.location).toBe("/account/security");
});

test("turning it on or off needs a fresh proof, signs out the other browsers, and is logged", async () => {
  const ann = await someoneSignedIn(server);
  const elsewhere = async (): Promise<Visitor> => {
    const details = { method: "password", client: null, address: "192.0.2.7" } as const;
    const now = server.clock.wall();
    const { id } = ann.account;
    const cookie = await createBrowserSession(server.store, id, details, cryptoRandom, now);
    const browser = visitor(server);
    browser.cookies.set(`docket-${new URL(server.url).port}`, cookie);
    return browser;
  };
  server.clock.advance(11 * MINUTE);
  expectPage(await ann.post("/account/authenticator/new"), 422, "Confirm with your password");
  const first = await elsewhere();
  await ann.post("/account/confirm", { password: PASSWORD });
  const { app } = await turnOn(server, ann);
  expect([await isSignedIn(ann), await isSignedIn(first)]).toEqual([true, false]);
  const second = await elsewhere();
  server.clock.advance(11 * MINUTE);
  expectPage(await ann.post("/account/authenticator/remove"), 422, "is still on");
  const proof = { password: PASSWORD, code: app.next() };
  const seen = await ann.post("/account/authenticator/remove", proof);
  expect(seen.location).toBe("/account/security?done=code-off");
  expectPage(await ann.get(seen.location ?? ""), 200, "The second factor is off.");
  expect([await isSignedIn(ann), await isSignedIn(second)]).toEqual([true, false]);
  const form = { email: ann.account.email, password: PASSWORD };
  expect((await visitor(server).post("/sign-in", form)).status).toBe(303);
  const noted = server.logged
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message.startsWith("the second factor"));
  expect(noted.filter(({ account }) => account === ann.account.email)).toMatchObject([
    { level: "info", message: "the second factor was turned on", address: "127.0.0.1" },
    { level: "info", message: "the second factor was turned off", address: "127.0.0.1" },
  ]);
});

test("a passkey signs in and confirms without a code", async () => {
  const named = byName(server);
  const ann = await someoneSignedIn(named);
  const device = newDevice(named.url);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  await ann.send("/account/passkeys", { credential: device.make(options), name: "phone" });
  await turnOn(server, ann);
  const browser = visitor(named);
  expect((await signInWith(browser, device)).status).toBe(200);
  expect(await isSignedIn(browser)).toBe(true);
  server.clock.advance(11 * MINUTE);
  const asked = await optionsFrom(browser, "/sign-in/passkey/options");
  const body = { credential: device.answer(asked), next: "/account/security" };
  expect((await browser.send("/account/confirm/passkey", body)).status).toBe(200);
  expectPage(await browser.post("/account/authenticator/codes"), 200, "Your recovery codes");
});

test("an extension that is new to the account asks for the password and a code, even at once", async () => {
  const { ann, app } = await annWithApp(server);
  const asker = extension(server);
  expect((await ann.get(asker.address())).html).toContain('name="code"');
  const lacking = await asker.decide(ann, { password: PASSWORD });
  expectPage(lacking, 200, "Enter the code from your authenticator app.");
  expectPage(await asker.decide(ann, { password: PASSWORD, code: "000000" }), 200, "Wrong code.");
  const code = await codeFor(asker, ann, { password: PASSWORD, code: app.next() });
  expect((await asker.exchange(code)).status).toBe(200);
});

test("the page of the code has no address of its own", async () => {
  const seen = await visitor(server).get("/sign-in/code");
  expect([seen.status, seen.location]).toEqual([303, "/sign-in"]);
});
