import { and, eq } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { hasMovedOn, MAX_PASSKEYS, type Passkey } from "../../domain/people/passkey.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { selectAccount } from "./credentials.ts";
import type { Store } from "../store.ts";
import { passkey } from "../schema/sign-in.ts";

/** A passkey as the device sent it. */
export type NewPasskey = Pick<Passkey, "counter" | "host" | "id" | "name" | "publicKey">;

/**
 * Stores a passkey. Refused as `invalid` if any account already has it, or if this one has
 * `MAX_PASSKEYS`.
 */
export const addPasskey = (
  store: Store,
  accountId: number,
  made: NewPasskey,
  now: Instant,
): Promise<void> =>
  store.writer.write(async (tx) => {
    const own = await tx.orm.select().from(passkey).where(eq(passkey.accountId, accountId)).all();
    if (own.length >= MAX_PASSKEYS)
      throw invalid(`This account already has ${MAX_PASSKEYS} passkeys. Remove one first.`);
    const kept = await tx.orm
      .insert(passkey)
      .values({ ...made, accountId, publicKey: Buffer.from(made.publicKey), createdAt: now })
      .onConflictDoNothing()
      .returning()
      .get();
    if (!kept) throw invalid("This passkey is already registered on this server.");
  });

/** Returns the account's passkeys, oldest first. */
export const listPasskeys = async (store: Store, accountId: number): Promise<readonly Passkey[]> =>
  store.reader
    .select()
    .from(passkey)
    .where(eq(passkey.accountId, accountId))
    .orderBy(passkey.createdAt, passkey.id)
    .all();

/**
 * Returns a passkey with its account's `uid`. Null if it is unknown, or if its account is disabled.
 */
export const findPasskey = async (
  store: Store,
  id: string,
): Promise<(Passkey & { readonly uid: string }) | null> => {
  const found = await store.reader.select().from(passkey).where(eq(passkey.id, id)).get();
  const owner = found && (await selectAccount(store.reader).get({ id: found.accountId }));
  return found && owner && owner.disabledAt === null ? { ...found, uid: owner.uid } : null;
};

/**
 * Records a verified use and returns whether it counts. It does not if the passkey was removed, its
 * account disabled, or its counter used meanwhile: of two copies of one response, only one is
 * accepted.
 */
export const usePasskey = (
  store: Store,
  id: string,
  counter: number,
  now: Instant,
): Promise<boolean> =>
  store.writer.write(async (tx) => {
    const found = await tx.orm.select().from(passkey).where(eq(passkey.id, id)).get();
    const owner = found && (await selectAccount(tx.orm).get({ id: found.accountId }));
    if (!found || !owner || owner.disabledAt !== null) return false;
    if (!hasMovedOn(found.counter, counter)) return false;
    await tx.orm.update(passkey).set({ counter, lastUsedAt: now }).where(eq(passkey.id, id)).run();
    return true;
  });

/** Removes a passkey of the account. Does nothing if the account does not have it. */
export const removePasskey = (store: Store, accountId: number, id: string): Promise<void> =>
  store.writer.write(async (tx) => {
    await tx.orm
      .delete(passkey)
      .where(and(eq(passkey.accountId, accountId), eq(passkey.id, id)))
      .run();
  });
