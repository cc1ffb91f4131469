import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type ApiKey, MAX_LIVE_KEYS, parseScopes } from "../apikey.ts";
import type { Scope } from "../caller.ts";
import type { Instant } from "../instant.ts";
import { invalid, notFound } from "../refusal.ts";
import { digestSecret, mintSecret, type Random, secretHint } from "../secret.ts";
import { newId } from "./ids.ts";
import type { Store } from "./open.ts";
import { apiKey } from "./schema.ts";

type KeyRow = typeof apiKey.$inferSelect;

/** Scopes that are not understood are none: a key can then do nothing. */
export const keyOf = ({ digest: _digest, scopes, ...shown }: KeyRow): ApiKey => ({
  ...shown,
  scopes: parseScopes(scopes) ?? [],
});

/** Makes a key. Its secret is returned here and never again: only its digest is kept. */
export const createKey = (
  store: Store,
  accountId: number,
  wish: {
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly expiresAt: Instant | null;
  },
  random: Random,
  now: Instant,
): Promise<{ readonly key: ApiKey; readonly secret: string }> =>
  store.writer.write((tx) => {
    const live = and(
      eq(apiKey.accountId, accountId),
      isNull(apiKey.revokedAt),
      or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
    );
    const count = tx.orm
      .select({ keys: sql<number>`count(*)` })
      .from(apiKey)
      .where(live)
      .get();
    if ((count?.keys ?? 0) >= MAX_LIVE_KEYS)
      throw invalid(`The account has ${MAX_LIVE_KEYS} live keys already: revoke one first.`);
    const secret = mintSecret("live", random);
    const row = {
      id: newId(now),
      accountId,
      name: wish.name,
      digest: digestSecret(secret),
      hint: secretHint(secret),
      scopes: wish.scopes.join(","),
      createdAt: now,
      expiresAt: wish.expiresAt,
    };
    return { key: keyOf(tx.orm.insert(apiKey).values(row).returning().get()), secret };
  });

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

/** The key is refused from the next call on. Revoking twice keeps the first time. */
export const revokeKey = (store: Store, id: string, now: Instant): Promise<ApiKey> =>
  store.writer.write((tx) => {
    const revoked = tx.orm
      .update(apiKey)
      .set({ revokedAt: sql`coalesce(${apiKey.revokedAt}, ${now})` })
      .where(eq(apiKey.id, id))
      .returning()
      .get();
    if (!revoked) throw notFound("API key");
    return keyOf(revoked);
  });
