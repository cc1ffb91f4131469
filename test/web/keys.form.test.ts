import { expect, test } from "bun:test";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { makeKey } from "../support/web/keys.ts";
import { PASSWORD, someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();
const { clock, store } = server;

const READ_ONLY = { name: "helper", read: "yes", where: "account", expires: "90d" };

const keysOf = ({ account }: { readonly account: { readonly id: number } }) =>
  listKeys(store, account.id);

const NAME_PROBLEM = "A name can have up to 100 characters, and no invisible ones. Choose another.";

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["no name", { name: "" }, "Enter a name, such as who or what will use the key."],
  ["a name of spaces", { name: "   " }, "Enter a name, such as who or what will use the key."],
  [
    "a name that is too long",
    { name: "x".repeat(101) },
    "A name can have up to 100 characters, and no invisible ones. This one has 101. Choose another.",
  ],
  ["a name that reverses the text", { name: "a\u202Eb" }, NAME_PROBLEM],
  ["a name of two lines", { name: "a\nb" }, NAME_PROBLEM],
  ["no such lifetime", { expires: "12h" }, "Choose one of these options."],
  ["no lifetime", { expires: "" }, "Choose one of these options."],
])("a key with %s is not created, and the form says why", async (_name, fields, problem) => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.post("/account/keys", { ...READ_ONLY, write: "yes", ...fields });
  expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(problem)]);
  expect(seen.html.match(/aria-invalid="true"/g)).toHaveLength(1);
  expect(seen.html).toMatch(/name="write" value="yes" checked/);
  if (!("name" in fields)) expect(seen.html).toContain('value="helper"');
  expect(await keysOf(ann)).toEqual([]);
});

test("a key without scopes is not created, and what was typed stays", async () => {
  const ann = await someoneSignedIn(server);
  const typed = { name: "<b>helper", where: "account", expires: "7d" };
  const seen = await ann.post("/account/keys", typed);
  expect([seen.status, seen.text]).toEqual([
    422,
    expect.stringContaining("Tick at least one. Otherwise the key could not do anything."),
  ]);
  expect(seen.html).toContain('value="&lt;b>helper"');
  expect(seen.html).toContain('<option value="7d" selected');
  expect(seen.html).not.toMatch(/type="checkbox"[^>]*checked/);
  expect(await keysOf(ann)).toEqual([]);
});

test("the 51st active key is refused, and the form says what to do", async () => {
  const ann = await someoneSignedIn(server);
  for (let n = 0; n < 50; n++) await makeKey(server, ann.account.id, `key ${n}`);
  const seen = await ann.post("/account/keys", READ_ONLY);
  expect([seen.status, seen.text]).toEqual([
    422,
    expect.stringContaining("This account already has 50 active keys. Revoke one first."),
  ]);
  expect(seen.html).toContain('value="helper"');
  expect(await keysOf(ann)).toHaveLength(50);
});

test("more than 10 minutes after signing in, a new key asks for the password", async () => {
  const ann = await someoneSignedIn(server);
  clock.advance(10 * MINUTE + 1);
  expect((await ann.get("/account/keys/new")).html).toContain('name="password"');
  for (const [password, problem] of [
    ["", "Enter your password to continue."],
    ["wrong", "Wrong password."],
  ] as const) {
    const seen = await ann.post("/account/keys", { ...READ_ONLY, password });
    expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(problem)]);
    expect(seen.html).toContain('value="helper"');
    expect(seen.html).toMatch(/<input id="password"[^>]* autofocus/);
    expect(seen.html.match(/ autofocus/g)).toHaveLength(1);
    expect(seen.html).not.toContain("wrong<");
  }
  expect(await keysOf(ann)).toEqual([]);
  const made = await ann.post("/account/keys", { ...READ_ONLY, password: PASSWORD });
  expect([made.status, made.text]).toEqual([200, expect.stringMatching(/docket_live_\w{38}/)]);
  expect((await ann.post("/account/keys", READ_ONLY)).status).toBe(200);
});
