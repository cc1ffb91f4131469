import { and, eq, gt, isNull } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import { code } from "../schema/sign-in.ts";

/** An invitation that nobody has used yet. Docket stores only its code's digest. */
export type Invitation = {
  readonly id: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
};

/** Returns the account's valid invitations, newest first. */
export const listInvitations = async (
  store: Store,
  accountId: number,
  now: Instant,
): Promise<readonly Invitation[]> =>
  (
    await store.reader
      .select({ id: code.id, createdAt: code.createdAt, expiresAt: code.expiresAt })
      .from(code)
      .where(and(open(accountId), gt(code.expiresAt, now)))
      .orderBy(code.createdAt, code.id)
      .all()
  ).toReversed();

/**
 * Voids an invitation of the account. Does nothing if it was used or belongs to another account.
 */
export const withdrawInvitation = (store: Store, accountId: number, id: string): Promise<void> =>
  store.writer.write(async (tx) => {
    await tx.orm
      .delete(code)
      .where(and(open(accountId), eq(code.id, id)))
      .run();
  });

const open = (accountId: number) =>
  and(eq(code.purpose, "invitation"), eq(code.accountId, accountId), isNull(code.usedAt));
