import { and, eq } from "drizzle-orm";
import { type Identity, MAX_IDENTITIES } from "../../domain/people/identity.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { selectAccount } from "./credentials.ts";
import type { Store } from "../store.ts";
import { identity } from "../schema/sign-in.ts";

/**
 * Links an identity to an account, or renews the link's label. Refused: one of another account, which
 * would let the same person at the provider into two, and one too many.
 */
export const linkIdentity = (
  store: Store,
  accountId: number,
  { issuer, subject, label }: Pick<Identity, "issuer" | "label" | "subject">,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => {
    const before = tx.orm.select().from(identity).where(known(issuer, subject)).get();
    if (before && before.accountId !== accountId)
      throw invalid("It is linked to another account of this server: unlink it there first.");
    const own = tx.orm.select().from(identity).where(eq(identity.accountId, accountId)).all();
    if (!before && own.length >= MAX_IDENTITIES)
      throw invalid(`The account has ${MAX_IDENTITIES} links already: unlink one first.`);
    tx.orm
      .insert(identity)
      .values({ issuer, subject, accountId, label, createdAt: now, lastUsedAt: now })
      .onConflictDoUpdate({
        target: [identity.issuer, identity.subject],
        set: { label, lastUsedAt: now },
      })
      .run();
  });

/** Whose identity this is, counted as used: null if nobody's, or a disabled account's. */
export const useIdentity = (
  store: Store,
  issuer: string,
  subject: string,
  now: Instant,
): Promise<number | null> =>
  store.writer.write((tx) => {
    const found = tx.orm.select().from(identity).where(known(issuer, subject)).get();
    const owner = found && selectAccount(tx.orm).get({ id: found.accountId });
    if (!owner || owner.disabledAt !== null) return null;
    tx.orm.update(identity).set({ lastUsedAt: now }).where(known(issuer, subject)).run();
    return owner.id;
  });

/** The account's identities, in the order in which they were linked. */
export const listIdentities = async (
  store: Store,
  accountId: number,
): Promise<readonly Identity[]> =>
  store.reader
    .select()
    .from(identity)
    .where(eq(identity.accountId, accountId))
    .orderBy(identity.createdAt, identity.subject)
    .all();

/** Forgets an identity of the account, if it has it. */
export const unlinkIdentity = (
  store: Store,
  accountId: number,
  issuer: string,
  subject: string,
): Promise<void> =>
  store.writer.write((tx) => {
    tx.orm
      .delete(identity)
      .where(and(eq(identity.accountId, accountId), known(issuer, subject)))
      .run();
  });

const known = (issuer: string, subject: string) =>
  and(eq(identity.issuer, issuer), eq(identity.subject, subject));
