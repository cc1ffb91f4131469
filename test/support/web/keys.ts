import { createKey } from "../../../src/db/people/api-keys.ts";
import type { Instant } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import type { TestServer } from "../server.ts";
import { someoneSignedIn } from "./visitor.ts";

/** Creates a key that may read and write. */
export const makeKey = (
  { store, clock }: TestServer,
  accountId: number,
  name: string,
  expiresAt: Instant | null = null,
) => {
  const wish = { name, scopes: ["read", "write"] as const, restriction: null, expiresAt };
  return createKey(store, accountId, wish, cryptoRandom, clock.wall());
};

/** Someone who is signed in and has a key called helper; `make` creates more. */
export const someoneWithKeys = async (server: TestServer, name = "ann", keyName = "helper") => {
  const person = await someoneSignedIn(server, name);
  const make = (named: string) => makeKey(server, person.account.id, named);
  return { person, make, helper: await make(keyName) };
};
