import { expect, test } from "bun:test";
import { sharedServer } from "../_replies.ts";
import { MINUTE } from "../../src/instant.ts";
import { PASSWORD, someoneSignedIn, visitor } from "./_visitor.ts";

const server = await sharedServer();

test("who is signed in sees the account area, and after signing out no more", async () => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.get("/account");
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining(ann.account.email)]);
  const out = await ann.post("/sign-out");
  expect([out.status, out.location]).toEqual([303, "/sign-in?next=%2Faccount"]);
  expect((await ann.get("/account")).location).toBe("/sign-in?next=%2Faccount");
});

test("a password signs in, in a new visit each time, and leads to what was asked for", async () => {
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

test("a wrong password and an unknown e-mail get one and the same answer, and what was typed stays", async () => {
  const ann = await someoneSignedIn(server);
  for (const email of [ann.account.email, "nobody@visitors.example"]) {
    const seen = await visitor(server).post("/sign-in", { email, password: "wrong password" });
    expect([seen.status, seen.text]).toEqual([
      422,
      expect.stringContaining("The e-mail or the password is wrong."),
    ]);
    expect(seen.html).toContain(`value="${email}"`);
    expect(seen.html).not.toContain("wrong password<");
  }
});

test("the eleventh wrong password for an e-mail has to wait, the right one too, and later it is in", async () => {
  const ann = await someoneSignedIn(server);
  const stranger = visitor(server);
  const form = { email: ann.account.email, password: "wrong password" };
  for (let tries = 0; tries < 10; tries++)
    expect((await stranger.post("/sign-in", form)).status).toBe(422);
  const seen = await stranger.post("/sign-in", { ...form, password: PASSWORD });
  expect([seen.status, seen.headers.get("retry-after")]).toEqual([429, "15"]);
  server.clock.advance(MINUTE);
  expect((await stranger.post("/sign-in", { ...form, password: PASSWORD })).status).toBe(303);
});
