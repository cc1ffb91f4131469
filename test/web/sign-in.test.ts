import { expect, test } from "bun:test";
import { disableAccount } from "../../src/db/people/accounts.ts";
import { newcomer, sharedServer } from "../support/replies.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";
import { computedIn } from "../support/processor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();

test("someone who is signed in sees the account area, until they sign out", async () => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.get("/account");
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining(ann.account.email)]);
  const out = await ann.post("/sign-out");
  expect([out.status, out.location]).toEqual([303, "/sign-in"]);
  expect((await ann.get("/account")).location).toBe("/sign-in?next=%2Faccount");
});

test("a password signs in, in a new browser session each time, and leads to the page asked for", async () => {
  const ann = await someoneSignedIn(server);
  const form = {
    email: ann.account.email.toUpperCase(),
    password: PASSWORD,
    next: "/account/keys?a=b",
  };
  const before = new Map(ann.cookies);
  const seen = await ann.post("/sign-in", form);
  expect([seen.status, seen.location]).toEqual([303, "/account/keys?a=b"]);
  const [name = ""] = [...before.keys()];
  expect(ann.cookies.get(name)).not.toBe(before.get(name));
  const old = visitor(server);
  old.cookies.set(name, before.get(name) ?? "");
  expect((await old.get("/account")).status).toBe(303);
});

/** People who cannot sign in with `PASSWORD`, and why not. */
const outsiders = async (): Promise<Readonly<Record<string, string>>> => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  const eve = (await newcomer(server, "eve")).account;
  await disableAccount(server.store, bob.account.email, server.clock.wall());
  return {
    "wrong password": ann.account.email,
    "unknown e-mail": "nobody@visitors.example",
    "no password": eve.email,
    disabled: bob.account.email,
  };
};

test("everyone who cannot sign in gets the same answer, and what was typed stays, except the password", async () => {
  const pages = new Set<string>();
  for (const [why, email] of Object.entries(await outsiders())) {
    const password = why === "disabled" ? PASSWORD : "wrong password";
    const browser = visitor(server);
    const seen = await browser.post("/sign-in", { email, password });
    expect([why, seen.status, seen.text]).toEqual([
      why,
      422,
      expect.stringContaining("Wrong e-mail address or password."),
    ]);
    expect(seen.html).toContain(`value="${email}"`);
    expect(seen.html).not.toContain(password);
    expect(browser.cookies.has(`docket-${new URL(server.url).port}`)).toBe(false);
    pages.add(seen.html.replaceAll(email, "EMAIL"));
  }
  expect(pages.size).toBe(1);
});

test("that answer takes equally long for everyone", async () => {
  const least = new Map<string, number>();
  const people = Object.entries(await outsiders());
  for (let round = 0; round < 8; round++)
    for (const [why, email] of people) {
      const took = await computedIn(async () => {
        const { status } = await visitor(server).post("/sign-in", { email, password: "wrong one" });
        expect(status).toBe(422);
      });
      least.set(why, Math.min(least.get(why) ?? Infinity, took));
      // By then, earlier failures no longer count.
      server.clock.advance(15 * MINUTE);
    }
  // Without the comparison of a hash, it would be a tenth at most.
  expect(Math.max(...least.values()) / Math.min(...least.values())).toBeLessThan(1.5);
});

test.each([
  [
    "nothing",
    "",
    "",
    { email: "Enter your full e-mail address.", password: "Enter your password." },
  ],
  ["no password", "ann@example.org", "", { password: "Enter your password." }],
  ["half an e-mail", "ann@", "x", { email: "Enter your full e-mail address." }],
  ["an e-mail with a NUL", "a\0@b.example", "x", { email: "Enter your full e-mail address." }],
  [
    "an e-mail that is too long",
    `${"a".repeat(250)}@b.example`,
    "x",
    { email: "Enter your full e-mail address." },
  ],
])(
  "with %s the form says beside each field what is wrong",
  async (_name, email, password, problems) => {
    const seen = await visitor(server).post("/sign-in", { email, password });
    const told = [...seen.html.matchAll(/id="(\w+)-problem">([^<]*)</g)].map(([, ...pair]) => pair);
    expect([seen.status, Object.fromEntries(told)]).toEqual([422, problems]);
  },
);

test("after ten wrong passwords for an e-mail even the right one has to wait, and works later", async () => {
  const ann = await someoneSignedIn(server);
  const stranger = visitor(server);
  const form = { email: ann.account.email, password: "wrong password" };
  for (let tries = 0; tries < 10; tries++)
    expect((await stranger.post("/sign-in", form)).status).toBe(422);
  const seen = await stranger.post("/sign-in", { ...form, password: PASSWORD });
  expect([seen.status, seen.headers.get("retry-after")]).toEqual([429, "15"]);
  expect(seen.text).toContain("Too many attempts to sign in have failed. Try again in 15 s.");
  expect(seen.html).toContain(`value="${ann.account.email}"`);
  server.clock.advance(MINUTE);
  expect((await stranger.post("/sign-in", { ...form, password: PASSWORD })).status).toBe(303);
});
