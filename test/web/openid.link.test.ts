import { expect, test } from "bun:test";
import { listIdentities } from "../../src/db/people/identities.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import {
  expectPage,
  linked,
  needsPassword,
  roundTrip,
  saysOf,
  ticketOf,
} from "../support/web/openid.ts";
import { startProvider } from "../support/web/provider.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

const provider = await startProvider();
const server = await sharedServer({ settings: { openId: provider.settings } });
provider.serve(server.url);
const SAYS = saysOf(provider.settings.issuer.host);

test("before linking, the person sees which identity it is, and another browser session cannot link it", async () => {
  const ann = await someoneSignedIn(server);
  const bob = await someoneSignedIn(server, "bob");
  const back = await ann.get(
    await roundTrip(ann, provider.browser(), "/account/openid/link", "shown-1"),
  );
  expectPage(
    await ann.get(back.location ?? ""),
    200,
    `You are signed in at ${provider.settings.issuer.host} as shown-1 there .`,
  );
  expect(await listIdentities(server.store, ann.account.id)).toEqual([]);
  expectPage(await bob.get(back.location ?? ""), 403, SAYS.stale);
  expectPage(await bob.post("/account/openid/link", { ticket: ticketOf(back) }), 403, SAYS.stale);

  server.clock.advance(11 * MINUTE - 1);
  expectPage(await ann.post("/account/openid/link", { ticket: ticketOf(back) }), 403, SAYS.stale);
  expect(await listIdentities(server.store, ann.account.id)).toEqual([]);
});

test("linking and unlinking ask for the password again if the last proof is old", async () => {
  const ann = await someoneSignedIn(server);
  server.clock.advance(11 * MINUTE);
  const back = await ann.get(
    await roundTrip(ann, provider.browser(), "/account/openid/link", "old-1"),
  );
  const form = { ticket: ticketOf(back) };
  expectPage(await ann.post("/account/openid/link", form), 422, "Enter your password to continue.");
  const wrong = { ...form, password: "wrong password" };
  expectPage(await ann.post("/account/openid/link", wrong), 422, "Wrong password.");
  expect(await listIdentities(server.store, ann.account.id)).toEqual([]);
  const done = await ann.post("/account/openid/link", { ...form, password: PASSWORD });
  expect(done.location).toBe("/account/security?done=linked");

  server.clock.advance(11 * MINUTE);
  const [identity] = await listIdentities(server.store, ann.account.id);
  const which = { issuer: identity?.issuer ?? "", subject: identity?.subject ?? "" };
  expectPage(
    await ann.post("/account/openid/unlink", which),
    422,
    "“old-1 there” is not unlinked yet.",
  );
  const undone = await ann.post("/account/openid/unlink", { ...which, password: PASSWORD });
  expect([undone.location, await listIdentities(server.store, ann.account.id)]).toEqual([
    "/account/security?done=unlinked",
    [],
  ]);
});

test("an identity is linked to one account at most", async () => {
  await linked(server, provider, "twice-1");
  const bob = await someoneSignedIn(server, "bob");
  const back = await bob.get(
    await roundTrip(bob, provider.browser(), "/account/openid/link", "twice-1"),
  );
  expectPage(await bob.post("/account/openid/link", { ticket: ticketOf(back) }), 422, SAYS.taken);
  expect(await listIdentities(server.store, bob.account.id)).toEqual([]);
});

test("nobody can unlink someone else's identity", async () => {
  const { ann } = await linked(server, provider, "hers-1");
  const bob = await someoneSignedIn(server, "bob");
  const [{ issuer, subject } = { issuer: "", subject: "" }] = await listIdentities(
    server.store,
    ann.account.id,
  );
  await bob.post("/account/openid/unlink", { issuer, subject });
  expect((await listIdentities(server.store, ann.account.id)).length).toBe(1);
});

test("a link that was started in one browser session does not continue in the next", async () => {
  const ann = await someoneSignedIn(server);
  const callback = await roundTrip(ann, provider.browser(), "/account/openid/link", "next-1");
  await ann.post("/sign-out");
  expectPage(await ann.get(callback), 403, SAYS.stale);
  await ann.post("/sign-in", { email: ann.account.email, password: PASSWORD });
  expectPage(await ann.get(callback), 403, SAYS.stale);
});

test("being let through at the provider is not a recent proof, but signing in there again is", async () => {
  const { there } = await linked(server, provider, "proof-1");
  const browser = visitor(server);
  await browser.get(await roundTrip(browser, there, "/sign-in/openid", "proof-1"));
  expect(await needsPassword(browser)).toBe(true);
  const path = "/account/confirm/openid?next=/account/security";
  const seen = await browser.get(await roundTrip(browser, there, path, "proof-1"));
  expect([seen.status, seen.location]).toEqual([303, "/account/security"]);
  expect(await needsPassword(browser)).toBe(false);
});

test("signing in at the provider as someone else proves nothing", async () => {
  const { ann } = await linked(server, provider, "mine-1");
  await linked(server, provider, "yours-1");
  server.clock.advance(11 * MINUTE);
  for (const subject of ["yours-1", "unknown-1"]) {
    const callback = await roundTrip(ann, provider.browser(), "/account/confirm/openid", subject);
    expectPage(await ann.get(callback), 403, SAYS.other);
  }
  expect(await needsPassword(ann)).toBe(true);
});

test("linking requires being signed in", async () => {
  const seen = await visitor(server).get("/account/openid/link");
  expect(seen.location).toBe("/sign-in?next=%2Faccount%2Fopenid%2Flink");
});
