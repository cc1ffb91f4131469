import { expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/domain/base/instant.ts";
import { startServer } from "../support/server.ts";
import { setUpCode } from "../support/web/joining.ts";
import { PASSWORD, someoneSignedIn, type Visitor, visitor } from "../support/web/visitor.ts";

/** A server whose owner is signed in. */
const owned = async () => {
  const server = await startServer();
  const code = await setUpCode(server);
  const owner = visitor(server);
  const form = { code, email: "owner@example.org", password: PASSWORD };
  expect((await owner.post("/setup", form)).location).toBe("/tasks");
  return { server, owner };
};

const invite = async (owner: Visitor, url: string): Promise<string> => {
  const seen = await owner.post("/account/server/invitations");
  expect([seen.status, seen.text]).toEqual([
    200,
    expect.stringContaining("Docket shows it only once and does not store it."),
  ]);
  const [, code = ""] = new RegExp(`${url}/invitation#([0-9A-Z-]+)`).exec(seen.text) ?? [];
  expect(code).toMatch(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
  return code;
};

test("the owner's link creates one account, within seven days, and is listed until it is used", async () => {
  const { server, owner } = await owned();
  const code = await invite(owner, server.url);
  const listed = await owner.get("/account/server");
  expect(listed.text).toContain("Expires");
  expect(listed.html).not.toContain(code);
  server.clock.advance(7 * DAY - 1);
  const bob = visitor(server);
  const form = { code, email: "bob@example.org", password: PASSWORD };
  expect((await bob.post("/invitation", form)).location).toBe("/tasks");
  expect((await bob.get("/account/server")).status).toBe(403);
  expect((await owner.get("/account/server")).text).not.toContain("Expires");
  const second = await visitor(server).post("/invitation", { ...form, email: "c@example.org" });
  expect([second.status, second.text]).toEqual([
    422,
    expect.stringContaining(
      "This code has already been used. Ask the owner of this server for a new invitation.",
    ),
  ]);
  await server.stop();
});

test("an invitation that was withdrawn or has expired creates no account", async () => {
  const { server, owner } = await owned();
  const join = (code: string) =>
    visitor(server).post("/invitation", { code, email: "bob@example.org", password: PASSWORD });
  const first = await invite(owner, server.url);
  const { html } = await owner.get("/account/server");
  const path = /action="(\/account\/server\/invitations\/[^"]+\/withdraw)"/.exec(html)?.[1] ?? "";
  const ann = await someoneSignedIn(server);
  await ann.post(path);
  expect((await owner.get("/account/server")).html).toContain(path);
  expect((await owner.post(path)).location).toBe("/account/server?done=withdrawn");
  expect((await join(first)).text).toContain("This code is not valid");

  const second = await invite(owner, server.url);
  server.clock.advance(7 * DAY);
  expect((await join(second)).text).toContain("This code has expired.");
  await server.stop();
});

test("inviting asks for the password again if the last proof is old", async () => {
  const { server, owner } = await owned();
  server.clock.advance(11 * MINUTE);
  const asked = await owner.post("/account/server/invitations");
  expect([asked.status, asked.text]).toEqual([
    422,
    expect.stringContaining("Anyone who gets the link can create an account on this server."),
  ]);
  expect((await owner.get("/account/server")).text).not.toContain("Expires");
  const seen = await owner.post("/account/server/invitations", { password: PASSWORD });
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining("/invitation#")]);
  await server.stop();
});

test("only the owner can invite people", async () => {
  const { server } = await owned();
  const ann = await someoneSignedIn(server);
  const seen = await ann.post("/account/server/invitations");
  expect([seen.status, seen.text]).toEqual([
    403,
    expect.stringContaining("Only the owner of this server can invite others."),
  ]);
  await server.stop();
});
