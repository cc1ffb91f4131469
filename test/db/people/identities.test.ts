import { expect, test } from "bun:test";
import { disableAccount } from "../../../src/db/people/accounts.ts";
import {
  linkIdentity,
  listIdentities,
  unlinkIdentity,
  useIdentity,
} from "../../../src/db/people/identities.ts";
import { MINUTE } from "../../../src/domain/base/instant.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, openForTest } from "../../support/db/store.ts";

const IDENTITY = { issuer: "https://id.example", subject: "1", label: "ann" };

test("An identity is its exact issuer and subject together", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await linkIdentity(store, ann, { issuer: "https://id.example", subject: "1", label: "a" }, NOON);
  const whose = (issuer: string, subject: string) => useIdentity(store, issuer, subject, NOON);
  expect(await whose("https://id.example", "1")).toBe(ann);
  for (const [issuer, subject] of [
    ["https://id.example/", "1"],
    ["https://ID.example", "1"],
    ["https://other.example", "1"],
    ["https://id.example", "01"],
    ["https://id.example", "1 "],
    ["https://id.example", "a"],
  ] as const)
    expect(await whose(issuer, subject)).toBeNull();
});

test("Linking an identity again updates its label, and it stays with its account", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const bob = await accountFor(store, "bob@example.org");
  await linkIdentity(store, ann, IDENTITY, NOON);
  await linkIdentity(store, ann, { ...IDENTITY, label: "ann b" }, NOON + MINUTE);
  const { message } = await refused(() => linkIdentity(store, bob, IDENTITY, NOON));
  expect(message).toBe(
    "It is already linked to another account on this server. Unlink it there first.",
  );
  expect(await listIdentities(store, ann)).toEqual([
    { ...IDENTITY, accountId: ann, label: "ann b", createdAt: NOON, lastUsedAt: NOON + MINUTE },
  ]);
});

test("The twenty-first identity of an account is refused", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const link = (subject: string) =>
    linkIdentity(store, ann, { issuer: "https://id.example", subject, label: subject }, NOON);
  for (let count = 0; count < 20; count++) await link(`${count}`);
  expect((await refused(() => link("20"))).message).toBe(
    "This account already has 20 links. Unlink one first.",
  );
  await link("19");
});

test("Only an identity's own account can unlink it", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const bob = await accountFor(store, "bob@example.org");
  await linkIdentity(store, ann, IDENTITY, NOON);
  await unlinkIdentity(store, bob, IDENTITY.issuer, IDENTITY.subject);
  expect((await listIdentities(store, ann)).length).toBe(1);
  await unlinkIdentity(store, ann, IDENTITY.issuer, IDENTITY.subject);
  expect(await listIdentities(store, ann)).toEqual([]);
});

test("The identity of a disabled account signs nobody in, and the use is not recorded", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await linkIdentity(store, ann, IDENTITY, NOON);
  await disableAccount(store, "ann@example.org", NOON);
  expect(await useIdentity(store, IDENTITY.issuer, IDENTITY.subject, NOON + MINUTE)).toBeNull();
  expect((await listIdentities(store, ann))[0]?.lastUsedAt).toBe(NOON);
});
