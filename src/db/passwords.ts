import { and, eq, isNull } from "drizzle-orm";
import type { Instant } from "../instant.ts";
import { setPasswordIn } from "./accounts.ts";
import { selectAccount } from "./credentials.ts";
import { revokeKeys } from "./endings.ts";
import type { Store } from "./open.ts";
import { visit } from "./schema.ts";
import type { FittingPassword } from "./visits.ts";

/** What stays when a password is changed: the browser in which it is done, and API keys unless they go too. */
export type Keep = { readonly visitId: string; readonly keys: boolean };

/**
 * Sets a new password for whoever knew the present one, with all that `setPassword` ends. False, and
 * nothing changed, if that is not the account's any more or their visit was ended: both comparing and
 * hashing take a while, and whoever was kept out meanwhile must not get back in by it.
 */
export const changePassword = (
  store: Store,
  { accountId, passwordHash }: FittingPassword,
  newHash: string,
  keep: Keep,
  now: Instant,
): Promise<boolean> =>
  store.writer.write((tx) => {
    const row = selectAccount(tx.orm).get({ id: accountId });
    const here = and(eq(visit.id, keep.visitId), isNull(visit.endedAt));
    const stays = tx.orm.select({ id: visit.id }).from(visit).where(here).get();
    if (!row || row.passwordHash !== passwordHash || !stays) return false;
    setPasswordIn(tx, row.email, newHash, keep.visitId, now);
    if (!keep.keys) revokeKeys(tx, accountId, now);
    tx.orm.update(visit).set({ authenticatedAt: now }).where(here).run();
    return true;
  });
