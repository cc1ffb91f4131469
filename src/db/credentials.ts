import { timingSafeEqual } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { isKeyLive } from "../apikey.ts";
import type { Caller } from "../caller.ts";
import { type Instant, MINUTE } from "../instant.ts";
import { digestSecret, secretKind } from "../secret.ts";
import { isSessionLive, sessionExpiry } from "../session.ts";
import { accountOf } from "./accounts.ts";
import { columnsOf, direct } from "./direct.ts";
import { keyOf } from "./keys.ts";
import type { Store } from "./open.ts";
import { account, apiKey, session } from "./schema.ts";
import { sessionOf } from "./sessions.ts";

const selectKey = direct<typeof apiKey.$inferSelect>(columnsOf(apiKey), (orm) =>
  orm
    .select()
    .from(apiKey)
    .where(eq(apiKey.digest, sql.placeholder("digest"))),
);

const selectSession = direct<typeof session.$inferSelect>(columnsOf(session), (orm) =>
  orm
    .select()
    .from(session)
    .where(eq(session.digest, sql.placeholder("digest"))),
);

export const selectAccount = direct<typeof account.$inferSelect>(columnsOf(account), (orm) =>
  orm
    .select()
    .from(account)
    .where(eq(account.id, sql.placeholder("id"))),
);

/**
 * Who a token stands for, null if for nobody: malformed, unknown, revoked, expired, or of a disabled
 * account. Looked up at every call, so that what another process revokes is refused at once. A token
 * that cannot be one of ours costs no look-up.
 */
export const authenticate = async (
  store: Store,
  token: string,
  now: Instant,
): Promise<Caller | null> => {
  const kind = secretKind(token);
  // A cookie of the account area or a one-time code is no credential of the API.
  if (kind !== "live" && kind !== "sess") return null;
  const digest = digestSecret(token);
  const found = kind === "live" ? findKey(store, digest, now) : findSession(store, digest, now);
  const owner = found && selectAccount(store.reader).get({ id: found.accountId });
  if (!owner || owner.disabledAt !== null) return null;
  return { ...found.caller, account: accountOf(owner) };
};

const findKey = (store: Store, digest: Buffer, now: Instant) => {
  const row = selectKey(store.reader).get({ digest });
  if (!row || !timingSafeEqual(row.digest, digest)) return null;
  const key = keyOf(row);
  if (!isKeyLive(key, now)) return null;
  const { id, name, scopes, leash, expiresAt } = key;
  return {
    accountId: key.accountId,
    caller: { kind: "api_key" as const, id, name, scopes, leash, expiresAt },
  };
};

const findSession = (store: Store, digest: Buffer, now: Instant) => {
  const row = selectSession(store.reader).get({ digest });
  if (!row || !timingSafeEqual(row.digest, digest)) return null;
  const found = sessionOf(row);
  if (!isSessionLive(found, now)) return null;
  if (now - found.lastUsedAt >= MINUTE) touchSession(store, found.id, now);
  const { id, name, lastSyncAt } = found;
  const scopes = ["read", "write"] as const;
  const expiresAt = sessionExpiry({ ...found, lastUsedAt: now });
  return {
    accountId: found.accountId,
    caller: { kind: "session" as const, id, name, scopes, leash: null, expiresAt, lastSyncAt },
  };
};

/** To the minute, and nobody waits for it: a lost update only ends the session a little earlier. */
const touchSession = (store: Store, id: string, lastUsedAt: Instant): void => {
  store.writer
    .write((tx) => tx.orm.update(session).set({ lastUsedAt }).where(eq(session.id, id)).run())
    .catch(() => {});
};
