import { and, eq } from "drizzle-orm";
import { type Identity, MAX_IDENTITIES } from "../../domain/people/identity.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { selectAccount } from "./credentials.ts";
import type { Store } from "../store.ts";
import { identity } from "../schema/sign-in.ts";

/**
 * Links an identity to an account, or updates the label of an existing link. Refused as `invalid`
 * if the identity belongs to another account, because one person at the provider must not open two
 * accounts, and if the account already has `MAX_IDENTITIES` links.
 */
export const linkIdentity = (
  store: Store,
  accountId: number,
  { issuer, subject, label }: Pick<Identity, "issuer" | "label" | "subject">,
  now: Instant,
): Promise<void> =>
  store.writer.write(async (tx) => {
    const before = await tx.orm.select().from(identity).where(known(issuer, subject)).get();
    if (before && before.accountId !== accountId)
      throw invalid(
        "It is already linked to another account on this server. Unlink it there first.",
      );
    const own = await tx.orm.select().from(identity).where(eq(identity.accountId, accountId)).all();
    if (!before && own.length >= MAX_IDENTITIES)
      throw invalid(`This account already has ${MAX_IDENTITIES} links. Unlink one first.`);
    await tx.orm
      .insert(identity)
      .values({ issuer, subject, accountId, label, createdAt: now, lastUsedAt: now })
      .onConflictDoUpdate({
        target: [identity.issuer, identity.subject],
        set: { label, lastUsedAt: now },
      })
      .run();
  });

/**
 * Returns the id of the account that an identity is linked to, and records the use. Null if there
 * is none, or if the account is disabled.
 */
export const useIdentity = (
  store: Store,
  issuer: string,
  subject: string,
  now: Instant,
): Promise<number | null> =>
  store.writer.write(async (tx) => {
    const found = await tx.orm.select().from(identity).where(known(issuer, subject)).get();
    const owner = found && (await selectAccount(tx.orm).get({ id: found.accountId }));
    if (!owner || owner.disabledAt !== null) return null;
    await tx.orm.update(identity).set({ lastUsedAt: now }).where(known(issuer, subject)).run();
    return owner.id;
  });

/** Returns the account's identities, oldest link first. */
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

/** Unlinks an identity from the account. Does nothing if it is not linked. */
export const unlinkIdentity = (
  store: Store,
  accountId: number,
  issuer: string,
  subject: string,
): Promise<void> =>
  store.writer.write(async (tx) => {
    await tx.orm
      .delete(identity)
      .where(and(eq(identity.accountId, accountId), known(issuer, subject)))
      .run();
  });

const known = (issuer: string, subject: string) =>
  and(eq(identity.issuer, issuer), eq(identity.subject, subject));
