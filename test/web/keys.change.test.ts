import { expect, test } from "bun:test";
import { setPlan } from "../../src/db/people/accounts.ts";
import { readKey, revokeKey } from "../../src/db/people/api-keys.ts";
import { DAY, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { makeKey } from "../support/web/keys.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer();
const { call, clock, store } = server;

/** Someone with a key called helper that works for 30 days. */
const withKey = async (name = "ann") => {
  const person = await someoneSignedIn(server, name);
  const made = await makeKey(server, person.account.id, "helper", clock.wall() + 30 * DAY);
  const read = () => readKey(store, person.account.id, made.key.id);
  return { person, ...made, read, path: `/account/keys/${made.key.id}` };
};

const statusOf = async (token: string): Promise<number> =>
  (await call("GET", "/me", { token })).status;

const NO_KEY = "API key not found. It may have been deleted.";

test("a key that is revoked is refused at its next call, and stays listed", async () => {
  const { person: ann, secret, path, key } = await withKey();
  expect(await statusOf(secret)).toBe(200);
  expect((await ann.get("/account/keys")).html).toContain(
    `<form method="post" action="${path}/revoke" data-confirm="Revoke “helper”?`,
  );
  const seen = await ann.post(`${path}/revoke`);
  expect([seen.status, seen.location]).toEqual([303, `/account/keys?revoked=${key.id}`]);
  expect(await statusOf(secret)).toBe(401);
  const { text } = await ann.get(seen.location ?? "");
  expect(text).toContain("The key “ helper ” is revoked and no longer works.");
  expect(text).toContain(`${key.hint} read and write revoked`);
  expect((await ann.post(`${path}/revoke`)).status).toBe(303);
});

test("more than 10 minutes after signing in, revoking and replacing ask for the password", async () => {
  const { person: ann, secret, path, read } = await withKey();
  clock.advance(10 * MINUTE + 1);
  const asked = await ann.post(`${path}/revoke`);
  expect([asked.status, asked.text]).toEqual([
    422,
    expect.stringContaining("Enter your password to continue."),
  ]);
  expect(asked.html).toContain(`action="${path}/revoke"`);
  const form = { grace: "24h", password: "wrong" };
  for (const what of ["revoke", "replace"]) {
    const seen = await ann.post(`${path}/${what}`, form);
    expect([seen.status, seen.text]).toEqual([422, expect.stringContaining("Wrong password.")]);
  }
  expect(await statusOf(secret)).toBe(200);
  const replaced = await ann.post(`${path}/replace`, { ...form, password: PASSWORD });
  expect([replaced.status, (await read()).replacedBy]).toEqual([200, expect.any(String)]);
  // That proof also counts for the next ten minutes.
  expect((await ann.post(`${path}/revoke`)).status).toBe(303);
  expect(await statusOf(secret)).toBe(401);
});

test("what was typed stays when the password is wrong", async () => {
  const { person: ann, path } = await withKey();
  expect((await ann.get(`${path}/replace`)).html).toMatch(/value="1h" checked/);
  clock.advance(HOUR);
  const seen = await ann.post(`${path}/replace`, { grace: "24h", password: "wrong" });
  expect(seen.html).toMatch(/value="24h" checked/);
});

test.each([
  ["0h", 0, "no longer works."],
  ["1h", HOUR, "works until 4 March 2026, 13:00 UTC ."],
  ["24h", DAY, "works until 5 March 2026, 12:00 UTC ."],
])(
  "a key that is replaced works for %s more, and its successor works at once",
  async (grace, ms, says) => {
    const { person: ann, secret, path, key } = await withKey();
    const seen = await ann.post(`${path}/replace`, { grace });
    const successor = /docket_live_\w{38}/.exec(seen.text)?.[0] ?? "";
    expect(seen.status).toBe(200);
    expect(seen.text).toContain(`The old key, ${key.hint} , ${says}`);
    expect(seen.text).toContain("can read and write, until 3 April 2026, 12:00 UTC");
    expect(await statusOf(successor)).toBe(200);
    if (ms > 0) {
      clock.advance(ms - 1);
      expect(await statusOf(secret)).toBe(200);
      clock.advance(1);
    }
    expect([await statusOf(secret), await statusOf(successor)]).toEqual([401, 200]);
    const { text, html } = await ann.get("/account/keys");
    expect(text).toContain(`${key.hint} read and write replaced`);
    expect(html).not.toContain(successor);
  },
);

test("while both keys work, the old one says so, and can be revoked but not replaced again", async () => {
  const { person: ann, path, key } = await withKey();
  await ann.post(`${path}/replace`, { grace: "24h" });
  const { html, text } = await ann.get("/account/keys");
  expect(text).toContain(`${key.hint} read and write active replaced, but works until it expires`);
  expect([html.includes(`${path}/revoke`), html.includes(`${path}/replace`)]).toEqual([
    true,
    false,
  ]);
});

test("a key that is replaced twice at once gets one successor", async () => {
  const { person: ann, path } = await withKey();
  const seen = await Promise.all(
    ["1h", "24h"].map((grace) => ann.post(`${path}/replace`, { grace })),
  );
  expect(seen.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect(seen.find(({ status }) => status === 422)?.text).toContain(
    "This key has already been replaced.",
  );
});

test("a period that is not one of the choices replaces nothing", async () => {
  const { person: ann, path, read } = await withKey();
  for (const grace of ["", "48h", "Infinity"]) {
    const seen = await ann.post(`${path}/replace`, { grace });
    expect([seen.status, seen.text]).toEqual([
      422,
      expect.stringContaining("Choose one of these options."),
    ]);
  }
  expect((await read()).replacedBy).toBeNull();
});

test("a key that no longer works cannot be replaced, and the page says what to do", async () => {
  const revoked = await withKey();
  await revokeKey(store, revoked.person.account.id, revoked.key.id, clock.wall());
  const replaced = await withKey();
  await replaced.person.post(`${replaced.path}/replace`, { grace: "1h" });
  const expired = await withKey();
  for (const [{ person, path }, text] of [
    [revoked, "This key has been revoked. Create a new key instead."],
    [
      replaced,
      "This key has already been replaced. Replace its successor instead, or create a new key.",
    ],
  ] as const)
    for (const seen of [
      await person.get(`${path}/replace`),
      await person.post(`${path}/replace`, { grace: "1h" }),
    ])
      expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(text)]);
  clock.advance(DAY * 13);
  await expired.person.get("/account");
  clock.advance(DAY * 13);
  await expired.person.get("/account");
  clock.advance(DAY * 4);
  const seen = await expired.person.get(`${expired.path}/replace`);
  expect([seen.status, seen.text]).toEqual([
    422,
    expect.stringContaining("This key has expired. Create a new key instead."),
  ]);
});

test("an account that is not on Pro can revoke keys, but not replace them", async () => {
  const { person: ann, path, read } = await withKey();
  await setPlan(
    store,
    ann.account.email,
    { plan: "free", until: null, source: null },
    clock.wall(),
  );
  const why =
    "API keys need the Pro plan, and your account is on the free plan. You cannot replace this key.";
  for (const seen of [
    await ann.get(`${path}/replace`),
    await ann.post(`${path}/replace`, { grace: "1h" }),
  ])
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining(why)]);
  expect((await read()).replacedBy).toBeNull();
  expect((await ann.post(`${path}/revoke`)).status).toBe(303);
});

test("another account's key cannot be found, whatever is asked of it, and keeps working", async () => {
  const { path, key, secret, read } = await withKey();
  const bob = await someoneSignedIn(server, "bob");
  for (const at of [path, "/account/keys/none", `/account/keys/${encodeURIComponent("' OR 1=1")}`])
    for (const seen of [
      await bob.get(`${at}/replace`),
      await bob.post(`${at}/replace`, { grace: "0h" }),
      await bob.post(`${at}/revoke`),
    ])
      expect([seen.status, seen.text]).toEqual([404, expect.stringContaining(NO_KEY)]);
  expect([await read(), await statusOf(secret)]).toEqual([{ ...key, lastUsedAt: null }, 200]);
});

test("strangers and other sites cannot create, replace or revoke anything", async () => {
  const { person: ann, path, key, read } = await withKey();
  const wish = { name: "evil", read: "yes", expires: "never", grace: "0h" };
  for (const at of ["/account/keys", `${path}/revoke`, `${path}/replace`]) {
    const stranger = await visitor(server).post(at, wish);
    expect([stranger.status, stranger.location]).toEqual([303, "/sign-in"]);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "null" }, {}]) {
      const seen = await ann.post(at, wish, headers);
      expect([seen.status, seen.text]).toEqual([
        403,
        expect.stringContaining("nothing was changed"),
      ]);
    }
  }
  expect(await read()).toEqual(key);
  expect((await ann.get("/account/keys")).text).not.toContain("evil");
});
