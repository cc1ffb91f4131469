import { and, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import { type ApiKey, MAX_LIVE_KEYS, parseScopes } from "../../domain/people/api-key.ts";
import type { Scope } from "../../domain/people/caller.ts";
import type { Instant } from "../../domain/base/instant.ts";
import {
  type Restriction,
  readRestriction,
  writeRestriction,
} from "../../domain/people/restriction.ts";
import { invalid, notFound } from "../../domain/base/refusal.ts";
import { digestSecret, mintSecret, type Random, secretHint } from "../../domain/base/secret.ts";
import { newId } from "../records/ids.ts";
import { checkFolders } from "../records/reach.ts";
import type { Store } from "../store.ts";
import type { Orm } from "../sqlite/orm.ts";
import { apiKey } from "../schema/credentials.ts";
import type { Tx } from "../sqlite/transaction.ts";

type KeyRow = typeof apiKey.$inferSelect;

/** Scopes that are not understood are none: a key can then do nothing. */
export const keyOf = ({ digest: _digest, scopes, restriction, ...shown }: KeyRow): ApiKey => ({
  ...shown,
  scopes: parseScopes(scopes) ?? [],
  restriction: readRestriction(restriction),
});

type Wish = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** What it is kept to, null for the whole account. */
  readonly restriction: Restriction | null;
  readonly expiresAt: Instant | null;
};

/** A key that was just made. Its secret is returned here and never again: only its digest is kept. */
export type NewKey = { readonly key: ApiKey; readonly secret: string };

/** Makes a key. Refused where the account has as many live ones as it may, and for folders it does not have. */
export const createKey = (
  store: Store,
  accountId: number,
  wish: Wish,
  random: Random,
  now: Instant,
): Promise<NewKey> =>
  store.writer.write((tx) => {
    if (countLive(tx, accountId, "current", now) >= MAX_LIVE_KEYS)
      throw invalid(`The account has ${MAX_LIVE_KEYS} live keys already: revoke one first.`);
    checkFolders(tx.orm, accountId, wish.restriction);
    return insertKey(tx, accountId, wish, random, now);
  });

/** How many live keys the account has, of those that were (or were not) replaced. */
export const countLive = (
  tx: Tx,
  accountId: number,
  which: "current" | "replaced",
  now: Instant,
): number =>
  tx.orm
    .select({ keys: sql<number>`count(*)` })
    .from(apiKey)
    .where(
      and(
        eq(apiKey.accountId, accountId),
        isNull(apiKey.revokedAt),
        or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
        which === "current" ? isNull(apiKey.replacedBy) : isNotNull(apiKey.replacedBy),
      ),
    )
    .get()?.keys ?? 0;

/** `createKey`, whatever the count, in a transaction that does more. */
export const insertKey = (
  tx: Tx,
  accountId: number,
  wish: Wish,
  random: Random,
  now: Instant,
): NewKey => {
  const secret = mintSecret("live", random);
  const row = {
    id: newId(now),
    accountId,
    name: wish.name,
    digest: digestSecret(secret),
    hint: secretHint(secret),
    scopes: wish.scopes.join(","),
    restriction: writeRestriction(wish.restriction),
    createdAt: now,
    expiresAt: wish.expiresAt,
  };
  return { key: keyOf(tx.orm.insert(apiKey).values(row).returning().get()), secret };
};

/** One of the account's keys. Another account's is not found. */
export const readKey = async (store: Store, accountId: number, id: string): Promise<ApiKey> =>
  findKey(store.reader, accountId, id);

export const findKey = (orm: Orm, accountId: number, id: string): ApiKey => {
  const row = orm
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.id, id), eq(apiKey.accountId, accountId)))
    .get();
  if (!row) throw notFound("API key");
  return keyOf(row);
};

/** All keys, revoked and expired ones too, of one account or (null) of all. */
export const listKeys = async (
  store: Store,
  accountId: number | null,
): Promise<readonly ApiKey[]> =>
  store.reader
    .select()
    .from(apiKey)
    .where(accountId === null ? undefined : eq(apiKey.accountId, accountId))
    .orderBy(apiKey.createdAt, apiKey.id)
    .all()
    .map(keyOf);

/**
 * The key, of one account or (null) of any, is refused from the next call on. Revoking twice keeps the
 * first time.
 */
export const revokeKey = (
  store: Store,
  accountId: number | null,
  id: string,
  now: Instant,
): Promise<ApiKey> =>
  store.writer.write((tx) => {
    const own = accountId === null ? undefined : eq(apiKey.accountId, accountId);
    const revoked = tx.orm
      .update(apiKey)
      .set({ revokedAt: sql`coalesce(${apiKey.revokedAt}, ${now})` })
      .where(and(eq(apiKey.id, id), own))
      .returning()
      .get();
    if (!revoked) throw notFound("API key");
    return keyOf(revoked);
  });
