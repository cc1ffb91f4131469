import { expect, test } from "bun:test";
import { changeEmail, listAccounts, readAccount } from "../../src/db/people/accounts.ts";
import { finishDeletions, shutAccount } from "../../src/db/people/deletion.ts";
import { invalid } from "../../src/domain/base/refusal.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { annWithApp } from "../support/web/authenticator-app.ts";
import { ownerSignedIn, PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();
let people = 0;

/** The same address as other people may write it: what looks the same must be the same. */
const VARIANTS: Readonly<Record<string, (email: string) => string>> = {
  "in capitals": (email) => email.toUpperCase(),
  "between spaces": (email) => `\t ${email}\u00A0 `,
  "with its accents apart": (email) => email.normalize("NFD"),
  "with its accents apart, in capitals": (email) => email.toUpperCase().normalize("NFD"),
  "in full-width letters": (email) =>
    email.replaceAll(/[a-z]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  "with a ligature": (email) => email.replace("fi", "\uFB01"),
};

test.each(Object.keys(VARIANTS))("Ann cannot take Zoe's address %s", async (how) => {
  const [ann, zoe] = [await ownerSignedIn(server), await someoneSignedIn(server, "fi.zoë")];
  const { email } = zoe.account;
  const seen = await ann.post("/account/email", { email: VARIANTS[how]?.(email) ?? "" });
  expect([seen.status, seen.text]).toEqual([
    422,
    expect.stringContaining("This address cannot be used. Choose another one."),
  ]);
  expect((await readAccount(server.store, ann.account.id))?.email).toBe(ann.account.email);
  const typed = { email: VARIANTS[how]?.(email) ?? "", password: PASSWORD };
  expect((await visitor(server).post("/sign-in", typed)).status).toBe(303);
});

test("An address that was kept with its accents apart still signs in, and is taken", async () => {
  const ann = await ownerSignedIn(server);
  const old = await someoneSignedIn(server, "noe\u0308l");
  const email = old.account.email.normalize("NFC");
  const typed = { email, password: PASSWORD };
  expect((await visitor(server).post("/sign-in", typed)).status).toBe(303);
  expect((await ann.post("/account/email", { email })).status).toBe(422);
});

const INVISIBLE = [
  "200B",
  "AD",
  "202E",
  "2060",
  "FE0F",
  "34F",
  "115F",
  "3164",
  "180E",
  "E0061",
  "0",
];

test.each(INVISIBLE)("No address has a character that nobody sees (U+%s)", async (code) => {
  const [ann, bob] = [await ownerSignedIn(server), await someoneSignedIn(server, "bob")];
  const hidden = String.fromCodePoint(Number.parseInt(code, 16));
  const email = bob.account.email.replace("b", `b${hidden}`);
  const seen = await ann.post("/account/email", { email });
  expect([seen.status, seen.text]).toEqual([
    422,
    expect.stringContaining("Enter an e-mail address, such as ann@example.org."),
  ]);
});

test("An address cannot end a line of the log, or become markup on a page", async () => {
  const ann = await ownerSignedIn(server);
  const logged = server.logged.length;
  expect((await ann.post("/account/email", { email: 'x@e.example\r\n{"level":"x"}' })).status).toBe(
    422,
  );
  const email = `<script>alert(${++people})</script>@e.example`;
  await ann.post("/account/email", { email });
  const { html, text } = await ann.get("/account/security");
  expect([html.includes(email), text.includes(email)]).toEqual([false, true]);
  for (const line of server.logged.slice(logged)) expect(() => JSON.parse(line)).not.toThrow();
});

test("Two tabs that change the address at once end with one of theirs, which alone signs in", async () => {
  const ann = await ownerSignedIn(server);
  const wanted = ["one", "two"].map((name) => `${name}.${ann.account.email}`);
  const seen = await Promise.all(wanted.map((email) => ann.post("/account/email", { email })));
  expect(seen.map(({ status }) => status)).toEqual([303, 303]);
  const kept = (await readAccount(server.store, ann.account.id))?.email ?? "";
  expect(wanted).toContain(kept);
  for (const email of [...wanted, ann.account.email])
    expect([
      email,
      (await visitor(server).post("/sign-in", { email, password: PASSWORD })).status,
    ]).toEqual([email, email === kept ? 303 : 422]);
});

test("A password alone, or a code that was used, changes no address of someone with a second factor", async () => {
  const { ann, app } = await annWithApp(server, ownerSignedIn);
  const used = app.at(0);
  server.clock.advance(11 * MINUTE);
  const email = `stolen.${ann.account.email}`;
  const proofs: readonly Readonly<Record<string, string>>[] = [
    {},
    { password: PASSWORD },
    { code: app.next() },
    { password: PASSWORD, code: used },
    { password: "wrong", code: app.next() },
  ];
  for (const proof of proofs)
    expect((await ann.post("/account/email", { email, ...proof })).status).toBe(422);
  expect((await readAccount(server.store, ann.account.id))?.email).toBe(ann.account.email);
});

test("Guesses against an account stay counted while a stranger changes their own address", async () => {
  const [ann, mallory] = [await someoneSignedIn(server), await ownerSignedIn(server, "mallory")];
  const stranger = visitor(server);
  const guess = () => stranger.post("/sign-in", { email: ann.account.email, password: "wrong" });
  for (let tries = 0; tries < 10; tries++) expect((await guess()).status).toBe(422);
  expect((await guess()).status).toBe(429);
  await mallory.post("/account/email", { email: ann.account.email });
  await mallory.post("/account/email", { email: `new.${mallory.account.email}` });
  expect((await guess()).status).toBe(429);
});

test("A form that asks again proves nothing with the password of whoever has the old address now", async () => {
  const [ann, mallory] = [await ownerSignedIn(server), await someoneSignedIn(server, "mallory")];
  const old = ann.account.email;
  await ann.post("/account/email", { email: `moved.${old}` });
  await changeEmail(server.store, mallory.account.id, old);
  server.clock.advance(11 * MINUTE);
  expect(
    (await ann.post("/account/email", { email: `again.${old}`, password: "wrong" })).status,
  ).toBe(422);
});

test("An account that is being deleted takes no other address, and is found again by a later start", async () => {
  const ann = await someoneSignedIn(server);
  const { id } = ann.account;
  await shutAccount(server.store, id, server.clock.wall());
  const late = changeEmail(server.store, id, "late@example.org");
  expect(late).rejects.toEqual(invalid("This account has been deleted."));
  await late.catch(() => {});
  expect((await listAccounts(server.store)).map(({ email }) => email)).not.toContain(
    "late@example.org",
  );
  await finishDeletions(server.store);
  expect(await readAccount(server.store, id)).toBeNull();
});
