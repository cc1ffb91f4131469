import { setPlan } from "../src/db/accounts.ts";
import { createKey, listKeys, revokeKey } from "../src/db/keys.ts";
import { cryptoRandom } from "../src/secret.ts";
import { change, newcomer } from "./_replies.ts";
import type { TestServer } from "./_server.ts";

/** Every way in which someone may come to a route. */
export const CREDENTIALS = [
  "no credential",
  "read key",
  "write key",
  "read+write key",
  "session",
  "revoked key",
  "expired key",
  "free key",
] as const;

export type Credential = (typeof CREDENTIALS)[number];

/** The id of a task of the person whose credentials these are. */
export const THEIR_TASK = "theirs";

/** A token for each credential; all of one person but the last, whose account is not Pro. */
export const tokensOfAll = async (
  server: TestServer,
): Promise<Readonly<Record<Credential, string | undefined>>> => {
  const ann = await newcomer(server);
  const bob = await newcomer(server, "bob");
  const body = [change("sync_tasks", THEIR_TASK, { title: "t" })];
  await server.call("POST", "/sync", { token: ann.session, body });
  const revoked = await ann.key(["read", "write"], "revoked");
  const keys = await listKeys(server.store, ann.account.id);
  const id = keys.find(({ name }) => name === "revoked")?.id ?? "";
  await revokeKey(server.store, null, id, server.clock.wall());
  const wish = {
    name: "expired",
    scopes: ["read", "write"] as const,
    expiresAt: server.clock.wall(),
  };
  const expired = await createKey(server.store, ann.account.id, wish, cryptoRandom, 0);
  const free = await bob.key();
  const grant = { plan: "free", until: null, source: null } as const;
  await setPlan(server.store, bob.account.email, grant, server.clock.wall());
  return {
    "no credential": undefined,
    "read key": await ann.key(["read"]),
    "write key": await ann.key(["write"]),
    "read+write key": await ann.key(),
    session: ann.session,
    "revoked key": revoked,
    "expired key": expired.secret,
    "free key": free,
  };
};
