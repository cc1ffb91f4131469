import { expect, test } from "bun:test";
import { addAccount, readPasswordHash, setPassword } from "../../src/db/accounts.ts";
import { endVisit } from "../../src/db/endings.ts";
import { createKey, listKeys } from "../../src/db/keys.ts";
import { changePassword } from "../../src/db/passwords.ts";
import { createVisit, findVisit, listVisits } from "../../src/db/visits.ts";
import { DAY, MINUTE } from "../../src/instant.ts";
import { cryptoRandom } from "../../src/secret.ts";
import { NOON } from "../_server.ts";
import { openForTest, type TestStore } from "./_store.ts";

const ARRIVAL = { method: "password", client: null, address: "192.0.2.1" } as const;

/** Somebody who is signed in in one browser, and whose password has this hash. */
const personWith = async (store: TestStore, email: string, passwordHash: string) => {
  const { id } = await addAccount(store, email, { plan: "pro", passwordHash }, NOON);
  const cookie = await createVisit(store, id, ARRIVAL, cryptoRandom, NOON);
  const [visit] = await listVisits(store, id, NOON);
  return { id, email, cookie, visitId: visit?.id ?? "" };
};

const newKey = async (store: TestStore, accountId: number, expiresAt: number | null) => {
  const wish = { name: "bot", scopes: ["read"] as const, leash: null, expiresAt };
  return (await createKey(store, accountId, wish, cryptoRandom, NOON)).key;
};

test("whoever knew the password has another one, and has proved who they are", async () => {
  const store = openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { visitId: ann.visitId, keys: true };
  const cookie = await changePassword(store, fitting, "new", keep, cryptoRandom, NOON + MINUTE);
  expect(await readPasswordHash(store, ann.id)).toBe("new");
  const there = await findVisit(store, cookie ?? "", NOON + MINUTE);
  expect(there?.visit).toMatchObject({ id: ann.visitId, authenticatedAt: NOON + MINUTE });
  // Whoever copied the cookie before is out.
  expect(await findVisit(store, ann.cookie, NOON + MINUTE)).toBeNull();
});

test("a password that was changed while the old one was looked at is not changed by it", async () => {
  const store = openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  await setPassword(store, ann.email, "hers", { visitId: ann.visitId }, NOON);
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { visitId: ann.visitId, keys: false };
  expect(await changePassword(store, fitting, "mallory's", keep, cryptoRandom, NOON)).toBeNull();
  expect(await readPasswordHash(store, ann.id)).toBe("hers");
});

test("a browser that was signed out meanwhile changes no password", async () => {
  const store = openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  await endVisit(store, ann.id, ann.visitId, NOON);
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { visitId: ann.visitId, keys: true };
  expect(await changePassword(store, fitting, "new", keep, cryptoRandom, NOON)).toBeNull();
  expect(await readPasswordHash(store, ann.id)).toBe("old");
});

test("keys that are to go with the password are revoked, those that work and are the account's own", async () => {
  const store = openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  const bob = await personWith(store, "bob@example.org", "old");
  const lives = await newKey(store, ann.id, null);
  const over = await newKey(store, ann.id, NOON + MINUTE);
  await newKey(store, bob.id, null);
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { visitId: ann.visitId, keys: false };
  await changePassword(store, fitting, "new", keep, cryptoRandom, NOON + DAY);
  const keys = await listKeys(store, null);
  expect(keys.map(({ id, accountId, revokedAt }) => ({ id, accountId, revokedAt }))).toEqual([
    { id: lives.id, accountId: ann.id, revokedAt: NOON + DAY },
    { id: over.id, accountId: ann.id, revokedAt: null },
    { id: expect.any(String), accountId: bob.id, revokedAt: null },
  ]);
});
