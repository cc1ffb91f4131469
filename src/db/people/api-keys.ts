import { and, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import {
  type ApiKey,
  MAX_LIVE_KEYS,
  parseScopes,
  readRestriction,
  replaceRefusal,
  type Restriction,
  type Scope,
  successorOf,
  writeRestriction,
} from "../../domain/people/api-key.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid, notFound } from "../../domain/base/refusal.ts";
import { digestSecret, mintSecret, type Random, secretHint } from "../../domain/base/secret.ts";
import { newId } from "../records/write.ts";
import { checkFolders } from "../records/reach.ts";
import type { Store } from "../store.ts";
import type { Orm } from "../query.ts";
import type { Tx } from "../writer.ts";
import { apiKey } from "../schema/credentials.ts";

type KeyRow = typeof apiKey.$inferSelect;

/** Scopes that cannot be read count as none, so the key can do nothing. */
export const keyOf = ({
  digest: _digest,
  scopes,
  restriction,
  review,
  ...shown
}: KeyRow): ApiKey => ({
  ...shown,
  review: review === 1,
  scopes: parseScopes(scopes) ?? [],
  restriction: readRestriction(restriction),
});

export type KeyFields = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null for the whole account. */
  readonly restriction: Restriction | null;
  readonly expiresAt: Instant | null;
  /** Whether a person reviews what it creates. */
  readonly review?: boolean;
  readonly client?: string | null;
};

/**
 * A key that was just created. This is the only time its secret is returned: Docket stores only its
 * digest.
 */
export type NewKey = { readonly key: ApiKey; readonly secret: string };

/**
 * Creates a key. Refused as `invalid` if the account already has `MAX_LIVE_KEYS` live keys, or if
 * the restriction names folders that the account does not have.
 */
export const createKey = (
  store: Store,
  accountId: number,
  fields: KeyFields,
  random: Random,
  now: Instant,
): Promise<NewKey> => store.writer.write((tx) => addKey(tx, accountId, fields, random, now));

/** The same as part of a larger transaction. */
export const addKey = async (
  tx: Tx,
  accountId: number,
  fields: KeyFields,
  random: Random,
  now: Instant,
): Promise<NewKey> => {
  if (!(await hasRoomForKey(tx.orm, accountId, now)))
    throw invalid(`This account already has ${MAX_LIVE_KEYS} active keys. Revoke one first.`);
  await checkFolders(tx.orm, accountId, fields.restriction);
  return insertKey(tx, accountId, fields, random, now);
};

/** Whether the account may have another live key. */
export const hasRoomForKey = async (orm: Orm, accountId: number, now: Instant): Promise<boolean> =>
  (await countLive(orm, accountId, "current", now)) < MAX_LIVE_KEYS;

/** Counts the account's live keys: those that were replaced, or those that were not. */
const countLive = async (
  orm: Orm,
  accountId: number,
  which: "current" | "replaced",
  now: Instant,
): Promise<number> =>
  (
    await orm
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
      .get()
  )?.keys ?? 0;

/** Like `createKey`, as part of a larger transaction and without checking the number of keys. */
const insertKey = async (
  tx: Tx,
  accountId: number,
  fields: KeyFields,
  random: Random,
  now: Instant,
): Promise<NewKey> => {
  const secret = mintSecret("live", random);
  const row = {
    id: newId(now),
    accountId,
    name: fields.name,
    digest: digestSecret(secret),
    hint: secretHint(secret),
    scopes: fields.scopes.join(","),
    restriction: writeRestriction(fields.restriction),
    createdAt: now,
    expiresAt: fields.expiresAt,
    review: Number(fields.review ?? false),
    client: fields.client ?? null,
  };
  return { key: keyOf(await tx.orm.insert(apiKey).values(row).returning().get()), secret };
};

/**
 * Returns one of the account's keys. Refused as `not_found` if the key belongs to another account.
 */
export const readKey = async (store: Store, accountId: number, id: string): Promise<ApiKey> =>
  findKey(store.reader, accountId, id);

const findKey = async (orm: Orm, accountId: number, id: string): Promise<ApiKey> => {
  const row = await orm
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.id, id), eq(apiKey.accountId, accountId)))
    .get();
  if (!row) throw notFound("API key");
  return keyOf(row);
};

/**
 * Returns all keys of one account, or of every account if `accountId` is null, oldest first.
 * Revoked and expired keys are included.
 */
export const listKeys = async (
  store: Store,
  accountId: number | null,
): Promise<readonly ApiKey[]> =>
  (
    await store.reader
      .select()
      .from(apiKey)
      .where(accountId === null ? undefined : eq(apiKey.accountId, accountId))
      .orderBy(apiKey.createdAt, apiKey.id)
      .all()
  ).map(keyOf);

/**
 * Revokes a key of one account, or of any account if `accountId` is null. It is refused from the
 * next call on. Revoking it again keeps the first time.
 */
export const revokeKey = (
  store: Store,
  accountId: number | null,
  id: string,
  now: Instant,
): Promise<ApiKey> => store.writer.write((tx) => endKey(tx, accountId, id, now));

/** The same as part of a larger transaction. */
export const endKey = async (
  tx: Tx,
  accountId: number | null,
  id: string,
  now: Instant,
): Promise<ApiKey> => {
  const own = accountId === null ? undefined : eq(apiKey.accountId, accountId);
  const revoked = await tx.orm
    .update(apiKey)
    .set({ revokedAt: sql`coalesce(${apiKey.revokedAt}, ${now})` })
    .where(and(eq(apiKey.id, id), own))
    .returning()
    .get();
  if (!revoked) throw notFound("API key");
  return keyOf(revoked);
};

/**
 * Replaces a live key with a successor of the same name, scopes, restriction and lifetime. The old
 * key works for `grace` ms more, or until it expires if that is sooner; 0 revokes it at once.
 * Refused as `invalid` if the key is not live or was already replaced.
 *
 * The successor takes the old key's place in the limit, so an account at the limit can still
 * replace keys. Replaced keys that still work have a limit of their own: in all there are never
 * more than twice `MAX_LIVE_KEYS`.
 */
export const replaceKey = (
  store: Store,
  accountId: number,
  id: string,
  grace: number,
  random: Random,
  now: Instant,
): Promise<NewKey & { readonly old: ApiKey }> =>
  store.writer.write(async (tx) => {
    const before = await findKey(tx.orm, accountId, id);
    const refusal = replaceRefusal(before, now);
    if (refusal !== null) throw invalid(refusal);
    if (grace > 0 && (await countLive(tx.orm, accountId, "replaced", now)) >= MAX_LIVE_KEYS)
      throw invalid(
        `This account already has ${MAX_LIVE_KEYS} replaced keys that still work. End this key now, or revoke one of them.`,
      );
    const made = await insertKey(tx, accountId, successorOf(before, now), random, now);
    const ends =
      grace === 0
        ? { revokedAt: now }
        : { expiresAt: Math.min(before.expiresAt ?? Number.POSITIVE_INFINITY, now + grace) };
    await tx.orm
      .update(apiKey)
      .set({ ...ends, replacedBy: made.key.id })
      .where(eq(apiKey.id, id))
      .run();
    return { ...made, old: { ...before, ...ends, replacedBy: made.key.id } };
  });
