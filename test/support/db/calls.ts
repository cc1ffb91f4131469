import { createKey } from "../../../src/db/people/api-keys.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { NOON } from "../server.ts";
import { accountFor, ask, openForTest, type TestStore } from "./store.ts";

const keyOf = async (store: TestStore, accountId: number) => {
  const wish = { name: "bot", scopes: ["read"] as const, restriction: null, expiresAt: null };
  return (await createKey(store, accountId, wish, cryptoRandom, NOON)).key.id;
};

/** ann with two keys, and bob with one. */
export const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const bob = await accountFor(store, "bob@example.org");
  const [helper, scout, theirs] = [
    await keyOf(store, ann),
    await keyOf(store, ann),
    await keyOf(store, bob),
  ];
  return { store, ann, bob, helper, scout, theirs };
};

/** Inserts many calls of a key into the activity list at once. `each` is SQL over `n`, from 1 on. */
export const fill = (
  store: TestStore,
  accountId: number,
  keyId: string,
  count: number,
  each: { readonly at: string; readonly method?: string; readonly status?: string },
) =>
  ask(
    store.directory,
    `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
    INSERT INTO activity (account_id, key_id, at, method, route, status, took_token, count)
    SELECT ${accountId}, '${keyId}', ${each.at}, ${each.method ?? "'GET'"}, '/r', ${each.status ?? 200}, 1, 1
    FROM counted`,
  );
