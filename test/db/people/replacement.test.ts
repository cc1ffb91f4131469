import { expect, test } from "bun:test";
import { MAX_LIVE_KEYS } from "../../../src/domain/people/api-key.ts";
import { authenticate } from "../../../src/db/people/credentials.ts";
import {
  createKey,
  listKeys,
  readKey,
  replaceKey,
  revokeKey,
} from "../../../src/db/people/api-keys.ts";
import { DAY, HOUR, type Instant } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, openForTest, type TestStore } from "../../support/db/store.ts";

const make = (store: TestStore, accountId: number, expiresAt: Instant | null = null) =>
  createKey(
    store,
    accountId,
    { name: "bot", scopes: ["write"], restriction: null, expiresAt },
    cryptoRandom,
    NOON,
  );

const replace = (store: TestStore, accountId: number, id: string, grace: number, now: Instant) =>
  replaceKey(store, accountId, id, grace, cryptoRandom, now);

const world = async () => {
  const store = await openForTest();
  return {
    store,
    ann: await accountFor(store),
    bob: await accountFor(store, "bob@example.org"),
  };
};

const invalid = (message: string) => ({ reason: "invalid" as const, message, headers: {} });
const GONE = {
  reason: "not_found",
  message: "API key not found. It may have been deleted.",
  headers: {},
} as const;

test("A successor has the same name, scopes and lifetime, and the old key ends after the requested time", async () => {
  const { store, ann } = await world();
  const old = await make(store, ann, NOON + 30 * DAY);
  const later = NOON + 10 * DAY;
  const made = await replace(store, ann, old.key.id, HOUR, later);
  expect(made.key).toEqual({
    ...old.key,
    id: made.key.id,
    hint: made.key.hint,
    createdAt: later,
    expiresAt: later + 30 * DAY,
  });
  const replaced = { ...old.key, expiresAt: later + HOUR, replacedBy: made.key.id };
  expect(made.old).toEqual(replaced);
  expect(await listKeys(store, ann)).toEqual([replaced, made.key]);
  const names = async (secret: string, now: Instant) =>
    (await authenticate(store, secret, now))?.name;
  expect(await names(old.secret, later + HOUR - 1)).toBe("bot");
  expect(await names(old.secret, later + HOUR)).toBeUndefined();
  expect(await names(made.secret, later + HOUR)).toBe("bot");
});

test("The successor of a key that never expires never expires, and the old key ends after a while", async () => {
  const { store, ann } = await world();
  const old = await make(store, ann);
  const made = await replace(store, ann, old.key.id, DAY, NOON);
  expect([made.key.expiresAt, made.old.expiresAt]).toEqual([null, NOON + DAY]);
});

test("Replacing a key never extends it", async () => {
  const { store, ann } = await world();
  const { key } = await make(store, ann, NOON + HOUR);
  expect((await replace(store, ann, key.id, DAY, NOON + 1)).old.expiresAt).toBe(NOON + HOUR);
});

test("With no time left, the old key is refused at once", async () => {
  const { store, ann } = await world();
  const old = await make(store, ann);
  const made = await replace(store, ann, old.key.id, 0, NOON);
  expect([made.old.revokedAt, made.old.replacedBy]).toEqual([NOON, made.key.id]);
  expect(await authenticate(store, old.secret, NOON)).toBeNull();
});

test("A key that is revoked, expired, replaced or someone else's cannot be replaced, and nothing is created", async () => {
  const { store, ann, bob } = await world();
  const revoked = (await make(store, ann)).key;
  await revokeKey(store, ann, revoked.id, NOON);
  const expired = (await make(store, ann, NOON + HOUR)).key;
  const replaced = (await make(store, ann)).key;
  await replace(store, ann, replaced.id, DAY, NOON);
  const theirs = (await make(store, bob)).key;
  const before = await listKeys(store, null);
  for (const [id, refusal] of [
    [revoked.id, invalid("This key has been revoked. Create a new key instead.")],
    [expired.id, invalid("This key has expired. Create a new key instead.")],
    [
      replaced.id,
      invalid(
        "This key has already been replaced. Replace its successor instead, or create a new key.",
      ),
    ],
    [theirs.id, GONE],
    ["none", GONE],
  ] as const)
    expect(await refused(() => replace(store, ann, id, 0, NOON + HOUR))).toEqual(refusal);
  expect(await listKeys(store, null)).toEqual(before);
});

test("Of two requests that replace a key at once, one succeeds", async () => {
  const { store, ann } = await world();
  const { key } = await make(store, ann);
  const both = await Promise.allSettled(
    [HOUR, HOUR].map((grace) => replace(store, ann, key.id, grace, NOON)),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await listKeys(store, ann)).toHaveLength(2);
});

test("At the limit, keys can still be replaced, and at most twice as many ever work", async () => {
  const { store, ann } = await world();
  const keys = await Promise.all(Array.from({ length: MAX_LIVE_KEYS }, () => make(store, ann)));
  const full = invalid("This account already has 50 active keys. Revoke one first.");
  expect(await refused(() => make(store, ann))).toEqual(full);
  const made = await Promise.all(keys.map(({ key }) => replace(store, ann, key.id, DAY, NOON)));
  expect(await refused(() => make(store, ann))).toEqual(full);
  const [first] = made;
  const again = (grace: number) => replace(store, ann, first?.key.id ?? "", grace, NOON);
  expect(await refused(() => again(HOUR))).toEqual(
    invalid(
      "This account already has 50 replaced keys that still work. End this key now, or revoke one of them.",
    ),
  );
  await again(0);
  const live = await Promise.all(
    [...keys, ...made].map(({ secret }) => authenticate(store, secret, NOON)),
  );
  // With the successor's successor, 50 current and 50 replaced keys work.
  expect(live.filter((caller) => caller !== null)).toHaveLength(2 * MAX_LIVE_KEYS - 1);
});

test("Only its own account, or the server's administrator, can read or revoke a key", async () => {
  const { store, ann, bob } = await world();
  const { key } = await make(store, ann);
  expect(await refused(() => readKey(store, bob, key.id))).toEqual(GONE);
  expect(await refused(() => revokeKey(store, bob, key.id, NOON))).toEqual(GONE);
  expect(await readKey(store, ann, key.id)).toEqual(key);
  expect((await revokeKey(store, ann, key.id, NOON + 1)).revokedAt).toBe(NOON + 1);
  const other = (await make(store, bob)).key;
  expect((await revokeKey(store, null, other.id, NOON)).revokedAt).toBe(NOON);
});
