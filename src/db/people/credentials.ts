import { eq, sql } from "drizzle-orm";
import type { Account, Caller } from "../../domain/people/account.ts";
import { isKeyLive } from "../../domain/people/api-key.ts";
import { type Instant, MINUTE } from "../../domain/base/instant.ts";
import { digestText, secretKind } from "../../domain/base/secret.ts";
import { isSessionLive, sessionExpiry } from "../../domain/people/session.ts";
import { columnsOf, direct, type Orm, remembered } from "../query.ts";
import { keyOf } from "./api-keys.ts";
import type { Store } from "../store.ts";
import { account } from "../schema/records.ts";
import { apiKey, session } from "../schema/credentials.ts";
import { sessionOf } from "./sessions.ts";
import type { browserSession } from "../schema/sign-in.ts";

const selectKey = direct<typeof apiKey.$inferSelect>((orm) =>
  orm
    .select(columnsOf(apiKey))
    .from(apiKey)
    .where(eq(apiKey.digest, sql.placeholder("digest"))),
);

const selectSession = direct<typeof session.$inferSelect>((orm) =>
  orm
    .select(columnsOf(session))
    .from(session)
    .where(eq(session.digest, sql.placeholder("digest"))),
);

export const selectAccount = direct<typeof account.$inferSelect>((orm) =>
  orm
    .select(columnsOf(account))
    .from(account)
    .where(eq(account.id, sql.placeholder("id"))),
);

/**
 * Returns the caller that a token belongs to. Null if the token is malformed, unknown, revoked or
 * expired, or if its account is disabled. Every call checks the data (see `remembered`), so a key
 * that another process revokes is refused at once. A token with a wrong checksum costs no look-up.
 */
export const authenticate = async (
  store: Store,
  token: string,
  now: Instant,
): Promise<Caller | null> => {
  const kind = secretKind(token);
  // A cookie of the account area or a one-time code does not authenticate API calls.
  if (kind !== "live" && kind !== "sess") return null;
  const find = kind === "live" ? findKey : findSession;
  const found = await find(store.reader, digestText(token));
  if (!found || found.owner.disabledAt !== null || !found.isLive(now)) return null;
  recordUse(store, found.table, found, now);
  return { ...found.callerAt(now), account: found.owner };
};

export type AccountRow = typeof account.$inferSelect;

export const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  uid: row.uid,
  email: row.email,
  plan: row.plan,
  planSource: row.planSource,
  planUntil: row.planUntil,
  proEndedAt: row.proEndedAt,
  createdAt: row.createdAt,
  disabledAt: row.disabledAt,
  isOwner: row.owner === 1,
});

const findAccount = async (orm: Orm, id: number): Promise<Account | undefined> => {
  const row = await selectAccount(orm).get({ id });
  return row && accountOf(row);
};

const findKey = remembered(async (orm, text: string) => {
  const digest = Buffer.from(text, "base64");
  const row = await selectKey(orm).get({ digest });
  if (!row || !crypto.timingSafeEqual(row.digest, digest)) return undefined;
  const key = keyOf(row);
  const owner = await findAccount(orm, key.accountId);
  if (!owner) return undefined;
  const { id, name, scopes, restriction, review, expiresAt, lastUsedAt } = key;
  const caller = { kind: "api_key" as const, id, name, scopes, restriction, review, expiresAt };
  const isLive = (now: Instant): boolean => isKeyLive(key, now);
  return { table: apiKey, id, lastUsedAt, owner, isLive, callerAt: () => caller };
});

const findSession = remembered(async (orm, text: string) => {
  const digest = Buffer.from(text, "base64");
  const row = await selectSession(orm).get({ digest });
  if (!row || !crypto.timingSafeEqual(row.digest, digest)) return undefined;
  const found = sessionOf(row);
  const owner = await findAccount(orm, found.accountId);
  if (!owner) return undefined;
  const { id, name, lastSyncAt, lastUsedAt } = found;
  const caller = { kind: "session" as const, id, name, scopes: ALL, restriction: null, lastSyncAt };
  // The use that is recorded now makes it last longer.
  const callerAt = (now: Instant) => ({
    ...caller,
    expiresAt: sessionExpiry({ ...found, lastUsedAt: now }),
  });
  const isLive = (now: Instant): boolean => isSessionLive(found, now);
  return { table: session, id, lastUsedAt, owner, isLive, callerAt };
});

const ALL = ["read", "write"] as const;

/**
 * Records that a key, a session or a browser session is in use, at most once a minute. Nobody waits
 * for this write. If it is lost, a session or browser session ends a little early.
 */
export const recordUse = (
  store: Store,
  table: typeof apiKey | typeof session | typeof browserSession,
  { id, lastUsedAt }: { readonly id: string; readonly lastUsedAt: Instant | null },
  now: Instant,
): void => {
  if (now - (lastUsedAt ?? 0) < MINUTE) return;
  store.writer
    .write((tx) => tx.orm.update(table).set({ lastUsedAt: now }).where(eq(table.id, id)).run())
    .catch(() => {});
};
