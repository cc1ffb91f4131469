import { expect, test } from "bun:test";
import { createSession } from "../../src/db/people/sessions.ts";
import { findOwner } from "../../src/db/people/owner.ts";
import { DAY, MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { startServer } from "../support/server.ts";
import { setUpCode } from "../support/web/joining.ts";
import { PASSWORD, someoneSignedIn, type Visitor, visitor } from "../support/web/visitor.ts";

const NEW = "another correct horse battery";

/** A server whose owner is signed in, and ann, who has an account there. */
const owned = async () => {
  const server = await startServer();
  const code = await setUpCode(server);
  const owner = visitor(server);
  await owner.post("/setup", { code, email: "owner@example.org", password: PASSWORD });
  const ann = await someoneSignedIn(server);
  const { id, email } = ann.account;
  return { server, owner, ann, id, email, at: `/account/server/people/${id}` };
};

const signsIn = async (browser: Visitor, email: string, password: string): Promise<boolean> =>
  (await browser.post("/sign-in", { email, password })).status === 303;

const linkFor = async (owner: Visitor, at: string): Promise<string> => {
  const { status, text } = await owner.post(`${at}/reset`);
  expect(status).toBe(200);
  expect(text).toContain("Docket shows it only once");
  return /\/reset#([0-9A-Z-]+)/.exec(text)?.[1] ?? "";
};

test("The owner sees who has an account, how large it is, and that there is nothing to warn of", async () => {
  const { server, owner, ann, email } = await owned();
  await createSession(server.store, ann.account.id, "phone", cryptoRandom, server.clock.wall());
  const { status, text } = await owner.get("/account/server");
  expect(status).toBe(200);
  expect(text).toContain(email);
  expect(text).toContain("owner@example.org (owner)");
  expect(text).toContain("nothing to warn of since its start");
  expect(text).toContain("This server makes no backups by itself.");
  server.log.warn("the disk is nearly full", { free_mb: 12 });
  server.log.error("request failed", new Error("no such luck"));
  server.log.failedSignIn({
    address: "::1",
    by: "password",
    account: "x@example.org",
    because: "refused",
  });
  const after = (await owner.get("/account/server")).text;
  expect(after).toContain("the disk is nearly full; free_mb: 12");
  expect(after).toContain("request failed; cause: no such luck");
  expect(after).not.toContain("x@example.org");
  await server.stop();
});

test("Nobody else sees that page, or does anything there", async () => {
  const { server, owner, ann, at, email } = await owned();
  expect((await ann.get("/account")).html).not.toContain('href="/account/server"');
  expect((await owner.get("/account")).html).toContain('href="/account/server"');
  expect((await ann.get("/account/server")).status).toBe(403);
  for (const what of ["disable", "enable", "reset"])
    expect([what, (await ann.post(`${at}/${what}`)).status]).toEqual([what, 403]);
  expect(await signsIn(visitor(server), email, PASSWORD)).toBe(true);
  await server.stop();
});

test("The owner disables an account and enables it again; their own stays as it is", async () => {
  const { server, owner, ann, at, email } = await owned();
  expect((await owner.post(`${at}/disable`)).location).toBe("/account/server?done=disabled");
  expect((await ann.get("/account")).location).toStartWith("/sign-in");
  expect(await signsIn(visitor(server), email, PASSWORD)).toBe(false);
  expect((await owner.get("/account/server?done=disabled")).text).toContain("disabled");
  expect((await owner.post(`${at}/enable`)).location).toBe("/account/server?done=enabled");
  expect(await signsIn(visitor(server), email, PASSWORD)).toBe(true);
  const own = (await findOwner(server.store))?.id;
  for (const id of [`${own}`, "999", "x", "1.5"])
    expect([id, (await owner.post(`/account/server/people/${id}/disable`)).status]).toEqual([
      id,
      404,
    ]);
  await server.stop();
});

test("What the owner does there asks for the password if the last proof is old", async () => {
  const { server, owner, at, email } = await owned();
  server.clock.advance(11 * MINUTE);
  for (const what of ["disable", "enable", "reset"]) {
    const { status, text } = await owner.post(`${at}/${what}`);
    expect([what, status]).toEqual([what, 422]);
    expect(text).toContain(email);
    expect(text).not.toContain("/reset#");
  }
  expect((await owner.post(`${at}/reset`, { password: PASSWORD })).text).toContain("/reset#");
  await server.stop();
});

test("A link sets a new password once, and signs everybody out of that account", async () => {
  const { server, owner, ann, at, email } = await owned();
  const code = await linkFor(owner, at);
  const bob = visitor(server);
  expect((await bob.get("/reset")).status).toBe(200);
  const weak = await bob.post("/reset", { code, password: "password" });
  expect(weak.status).toBe(422);
  const done = await bob.post("/reset", { code: code.toLowerCase(), password: NEW });
  expect([done.status, done.text]).toEqual([200, expect.stringContaining(email)]);
  expect((await ann.get("/account")).location).toStartWith("/sign-in");
  expect(await signsIn(visitor(server), email, PASSWORD)).toBe(false);
  expect(await signsIn(visitor(server), email, NEW)).toBe(true);
  const again = await bob.post("/reset", { code, password: `${NEW}!` });
  expect([again.status, again.text]).toEqual([
    422,
    expect.stringContaining("already been used. Ask the owner of this server for a new link."),
  ]);
  await server.stop();
});

test("A link that is old, was replaced, or is of a disabled account, changes nothing", async () => {
  const { server, owner, at, email } = await owned();
  const use = async (code: string) =>
    (await visitor(server).post("/reset", { code, password: NEW })).text;
  const first = await linkFor(owner, at);
  const second = await linkFor(owner, at);
  expect(await use(first)).toContain("This code is not valid.");
  server.clock.advance(DAY);
  expect(await use(second)).toContain("This code has expired.");
  await owner.post(`${at}/disable`, { password: PASSWORD });
  expect((await owner.post(`${at}/reset`)).text).toContain("Enable it first.");
  await owner.post(`${at}/enable`);
  const third = await linkFor(owner, at);
  await owner.post(`${at}/disable`);
  expect(await use(third)).toContain("This code is not valid.");
  expect(await use("")).toContain("Enter the code.");
  await owner.post(`${at}/enable`);
  expect(await signsIn(visitor(server), email, PASSWORD)).toBe(true);
  await server.stop();
});
