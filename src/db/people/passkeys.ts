import { and, eq } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { hasMovedOn, MAX_PASSKEYS, type Passkey } from "../../domain/people/passkey.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { selectAccount } from "./credentials.ts";
import type { Store } from "../store.ts";
import { passkey } from "../schema/sign-in.ts";

/** A passkey as its device gave it. */
export type NewPasskey = Pick<Passkey, "counter" | "host" | "id" | "name" | "publicKey">;

/** Keeps a passkey. Refused: one that is known already, whoever has it, and one too many. */
export const addPasskey = (
  store: Store,
  accountId: number,
  made: NewPasskey,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => {
    const own = tx.orm.select().from(passkey).where(eq(passkey.accountId, accountId)).all();
    if (own.length >= MAX_PASSKEYS)
      throw invalid(`The account has ${MAX_PASSKEYS} passkeys already: remove one first.`);
    const kept = tx.orm
      .insert(passkey)
      .values({ ...made, accountId, publicKey: Buffer.from(made.publicKey), createdAt: now })
      .onConflictDoNothing()
      .returning()
      .get();
    if (!kept) throw invalid("This passkey is known here already.");
  });

/** The account's passkeys, in the order in which they were made. */
export const listPasskeys = async (store: Store, accountId: number): Promise<readonly Passkey[]> =>
  store.reader
    .select()
    .from(passkey)
    .where(eq(passkey.accountId, accountId))
    .orderBy(passkey.createdAt, passkey.id)
    .all();

/** A passkey, with the `uid` of its account: null if it is unknown, or its account is disabled. */
export const findPasskey = async (
  store: Store,
  id: string,
): Promise<(Passkey & { readonly uid: string }) | null> => {
  const found = store.reader.select().from(passkey).where(eq(passkey.id, id)).get();
  const owner = found && selectAccount(store.reader).get({ id: found.accountId });
  return found && owner && owner.disabledAt === null ? { ...found, uid: owner.uid } : null;
};

/**
 * Counts a use that was proved, and tells whether it stands: not if the passkey was removed, its account
 * disabled, or its counter used meanwhile. So of two copies of one answer only one is good.
 */
export const usePasskey = (
  store: Store,
  id: string,
  counter: number,
  now: Instant,
): Promise<boolean> =>
  store.writer.write((tx) => {
    const found = tx.orm.select().from(passkey).where(eq(passkey.id, id)).get();
    const owner = found && selectAccount(tx.orm).get({ id: found.accountId });
    if (!found || !owner || owner.disabledAt !== null) return false;
    if (!hasMovedOn(found.counter, counter)) return false;
    tx.orm.update(passkey).set({ counter, lastUsedAt: now }).where(eq(passkey.id, id)).run();
    return true;
  });

/** Forgets a passkey of the account, if it has it. */
export const removePasskey = (store: Store, accountId: number, id: string): Promise<void> =>
  store.writer.write((tx) => {
    tx.orm
      .delete(passkey)
      .where(and(eq(passkey.accountId, accountId), eq(passkey.id, id)))
      .run();
  });
