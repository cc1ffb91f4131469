import type { Scope } from "../../../src/domain/people/api-key.ts";
import { expect, test } from "bun:test";
import { disableAccount, enableAccount } from "../../../src/db/people/accounts.ts";
import { authenticate } from "../../../src/db/people/credentials.ts";
import { createKey, listKeys, revokeKey } from "../../../src/db/people/api-keys.ts";
import { createSession, listSessions, revokeSession } from "../../../src/db/people/sessions.ts";
import { DAY, MINUTE } from "../../../src/domain/base/instant.ts";
import { cryptoRandom, mintSecret, secretKind } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import { refused } from "../../support/refused.ts";
import { accountFor, ask, openForTest, type TestStore } from "../../support/db/store.ts";

const keyFor = (
  store: TestStore,
  accountId: number,
  expiresAt: number | null = null,
  scopes: readonly Scope[] = ["read", "write"],
) =>
  createKey(
    store,
    accountId,
    { name: "bot", scopes, restriction: null, expiresAt },
    cryptoRandom,
    NOON,
  );
const sessionFor = (store: TestStore, accountId: number) =>
  createSession(store, accountId, "laptop", cryptoRandom, NOON);

test("A key identifies its account, with its own name and scopes", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { key, secret } = await keyFor(store, ann, NOON + DAY, ["read"]);
  expect(secretKind(secret)).toBe("live");
  expect(await authenticate(store, secret, NOON)).toEqual({
    kind: "api_key",
    id: key.id,
    name: "bot",
    scopes: ["read"],
    restriction: null,
    review: false,
    expiresAt: NOON + DAY,
    account: expect.objectContaining({ id: ann, email: "ann@example.org" }) as never,
  });
});

test("A session identifies its account, may read and write, and says when it ends", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { session, secret } = await sessionFor(store, ann);
  expect(await authenticate(store, secret, NOON + DAY)).toMatchObject({
    kind: "session",
    id: session.id,
    name: "laptop",
    scopes: ["read", "write"],
    expiresAt: NOON + 31 * DAY,
  });
});

test("Nothing that is stored of a secret can be used in its place", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const secrets = [(await keyFor(store, ann)).secret, (await sessionFor(store, ann)).secret];
  const kept = JSON.stringify([
    ask(store.directory, "SELECT *, hex(digest) FROM api_key"),
    ask(store.directory, "SELECT *, hex(digest) FROM session"),
    await listKeys(store, ann),
    await listSessions(store, ann),
  ]);
  for (const secret of secrets) expect(kept).not.toContain(secret.slice(16, -4));
});

test("A token that is unknown, mistyped or of another kind identifies nobody", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { secret } = await keyFor(store, ann);
  for (const token of [
    mintSecret("live", cryptoRandom),
    mintSecret("sess", cryptoRandom),
    `${secret}0`,
    secret.slice(0, -1),
    secret.replace("live", "sess"),
    secret.toLowerCase(),
    "",
  ])
    expect(await authenticate(store, token, NOON)).toBeNull();
});

test("A key is refused as soon as it expires or any process revokes it", async () => {
  const store = await openForTest();
  const visitor = await openForTest({ directory: store.directory, role: "visitor" });
  const ann = await accountFor(store);
  const { secret } = await keyFor(store, ann, NOON + MINUTE);
  expect(await authenticate(store, secret, NOON + MINUTE - 1)).not.toBeNull();
  expect(await authenticate(store, secret, NOON + MINUTE)).toBeNull();
  const other = await keyFor(store, ann);
  expect(await authenticate(store, other.secret, NOON)).not.toBeNull();
  await revokeKey(visitor, null, other.key.id, NOON);
  expect(await authenticate(store, other.secret, NOON)).toBeNull();
});

test("A revoked key stays in the list, and revoking it again keeps the first time", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { key } = await keyFor(store, ann);
  await revokeKey(store, null, key.id, NOON + 1);
  expect((await revokeKey(store, null, key.id, NOON + 2)).revokedAt).toBe(NOON + 1);
  expect(await listKeys(store, ann)).toEqual([{ ...key, revokedAt: NOON + 1 }]);
});

const noSuch = (what: string) => ({
  reason: "not_found" as const,
  message: `${what} not found. It may have been deleted.`,
  headers: {},
});

test("Revoking a key or session that does not exist is refused", async () => {
  const store = await openForTest();
  expect(await refused(() => revokeKey(store, null, "k", NOON))).toEqual(noSuch("API key"));
  expect(await refused(() => revokeSession(store, null, "s", NOON))).toEqual(noSuch("Session"));
});

test("Each use extends a session by 30 days, up to 180 days in all", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { secret } = await sessionFor(store, ann);
  for (let day = 0; day < 180; day += 29) {
    expect([day, await authenticate(store, secret, NOON + day * DAY)]).not.toEqual([day, null]);
    await store.writer.drain();
  }
  expect(await authenticate(store, secret, NOON + 180 * DAY - 1)).not.toBeNull();
  expect(await authenticate(store, secret, NOON + 180 * DAY)).toBeNull();
  const idle = await sessionFor(store, ann);
  expect(await authenticate(store, idle.secret, NOON + 30 * DAY - 1)).not.toBeNull();
  const forgotten = await sessionFor(store, ann);
  expect(await authenticate(store, forgotten.secret, NOON + 30 * DAY)).toBeNull();
});

test("All credentials of a disabled account are refused, and work again once it is enabled", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const secrets = [(await keyFor(store, ann)).secret, (await sessionFor(store, ann)).secret];
  const bobs = (await keyFor(store, bob)).secret;
  await disableAccount(store, "ann@example.org", NOON);
  for (const secret of secrets) expect(await authenticate(store, secret, NOON)).toBeNull();
  expect(await authenticate(store, bobs, NOON)).not.toBeNull();
  await enableAccount(store, "ann@example.org");
  for (const secret of secrets) expect(await authenticate(store, secret, NOON)).not.toBeNull();
});

test("An account can have 50 live keys; revoked and expired keys do not count", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  await Promise.all(Array.from({ length: 49 }, () => keyFor(store, ann)));
  const last = await keyFor(store, ann, NOON + 1);
  const full = {
    reason: "invalid" as const,
    message: "This account already has 50 active keys. Revoke one first.",
    headers: {},
  };
  expect(await refused(() => keyFor(store, ann))).toEqual(full);
  await keyFor(store, bob);
  await revokeKey(store, null, last.key.id, NOON);
  await keyFor(store, ann);
  expect(await refused(() => keyFor(store, ann))).toEqual(full);
  expect(await listKeys(store, ann)).toHaveLength(51);
  expect(await listKeys(store, null)).toHaveLength(52);
});

test("A key's last use is recorded to the minute", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { secret } = await keyFor(store, ann);
  const usedAt = async (now: number) => {
    expect(await authenticate(store, secret, now)).not.toBeNull();
    await store.writer.drain();
    return (await listKeys(store, ann))[0]?.lastUsedAt;
  };
  expect((await listKeys(store, ann))[0]?.lastUsedAt).toBeNull();
  expect(await usedAt(NOON)).toBe(NOON);
  expect(await usedAt(NOON + MINUTE - 1)).toBe(NOON);
  expect(await usedAt(NOON + MINUTE)).toBe(NOON + MINUTE);
  expect(await usedAt(NOON + 3 * MINUTE)).toBe(NOON + 3 * MINUTE);
});
