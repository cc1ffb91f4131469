import { expect, test } from "bun:test";
import { addAccount, readPasswordHash, setPassword } from "../../../src/db/people/accounts.ts";
import { endBrowserSession } from "../../../src/db/people/revocation.ts";
import { createKey, listKeys } from "../../../src/db/people/api-keys.ts";
import { changePassword } from "../../../src/db/people/passwords.ts";
import {
  createBrowserSession,
  findBrowserSession,
  listBrowserSessions,
} from "../../../src/db/people/browser-sessions.ts";
import { DAY, MINUTE } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import { openForTest, type TestStore } from "../../support/db/store.ts";

const SIGN_IN = { method: "password", client: null, address: "192.0.2.1" } as const;

/** A person who is signed in with one browser and whose password has this hash. */
const personWith = async (store: TestStore, email: string, passwordHash: string) => {
  const { id } = await addAccount(store, email, { plan: "pro", passwordHash }, NOON);
  const cookie = await createBrowserSession(store, id, SIGN_IN, cryptoRandom, NOON);
  const [browserSession] = await listBrowserSessions(store, id, NOON);
  return { id, email, cookie, browserSessionId: browserSession?.id ?? "" };
};

const newKey = async (store: TestStore, accountId: number, expiresAt: number | null) => {
  const keyFields = { name: "bot", scopes: ["read"] as const, restriction: null, expiresAt };
  return (await createKey(store, accountId, keyFields, cryptoRandom, NOON)).key;
};

test("Anyone who knows the password can change it, which also proves who they are", async () => {
  const store = await openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { browserSessionId: ann.browserSessionId, keys: true };
  const cookie = await changePassword(store, fitting, "new", keep, cryptoRandom, NOON + MINUTE);
  expect(await readPasswordHash(store, ann.id)).toBe("new");
  const there = await findBrowserSession(store, cookie ?? "", NOON + MINUTE);
  expect(there?.browserSession).toMatchObject({
    id: ann.browserSessionId,
    authenticatedAt: NOON + MINUTE,
  });
  // The old cookie, which someone may have copied, no longer works.
  expect(await findBrowserSession(store, ann.cookie, NOON + MINUTE)).toBeNull();
});

test("If the password changes while the old one is being checked, the change is refused", async () => {
  const store = await openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  await setPassword(store, ann.email, "hers", { browserSessionId: ann.browserSessionId }, NOON);
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { browserSessionId: ann.browserSessionId, keys: false };
  expect(await changePassword(store, fitting, "mallory's", keep, cryptoRandom, NOON)).toBeNull();
  expect(await readPasswordHash(store, ann.id)).toBe("hers");
});

test("A browser that was signed out meanwhile cannot change the password", async () => {
  const store = await openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  await endBrowserSession(store, ann.id, ann.browserSessionId, NOON);
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { browserSessionId: ann.browserSessionId, keys: true };
  expect(await changePassword(store, fitting, "new", keep, cryptoRandom, NOON)).toBeNull();
  expect(await readPasswordHash(store, ann.id)).toBe("old");
});

test("Changing the password with keys revokes exactly the account's own live keys", async () => {
  const store = await openForTest();
  const ann = await personWith(store, "ann@example.org", "old");
  const bob = await personWith(store, "bob@example.org", "old");
  const lives = await newKey(store, ann.id, null);
  const over = await newKey(store, ann.id, NOON + MINUTE);
  await newKey(store, bob.id, null);
  const fitting = { accountId: ann.id, passwordHash: "old" };
  const keep = { browserSessionId: ann.browserSessionId, keys: false };
  await changePassword(store, fitting, "new", keep, cryptoRandom, NOON + DAY);
  const keys = await listKeys(store, null);
  expect(keys.map(({ id, accountId, revokedAt }) => ({ id, accountId, revokedAt }))).toEqual([
    { id: lives.id, accountId: ann.id, revokedAt: NOON + DAY },
    { id: over.id, accountId: ann.id, revokedAt: null },
    { id: expect.any(String), accountId: bob.id, revokedAt: null },
  ]);
});
