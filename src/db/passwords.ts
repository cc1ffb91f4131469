import type { Instant } from "../instant.ts";
import type { Random } from "../secret.ts";
import { setPasswordIn } from "./accounts.ts";
import { selectAccount } from "./credentials.ts";
import { revokeKeys } from "./endings.ts";
import type { Store } from "./open.ts";
import { type FittingPassword, renewVisitIn } from "./visits.ts";

/** What stays when a password is changed: the browser in which it is done, and API keys unless they go too. */
export type Keep = { readonly visitId: string; readonly keys: boolean };

/**
 * Sets a new password for whoever knew the present one, with all that `setPassword` ends. Returns the
 * cookie of the visit that stays; null, and nothing changed, if the password is not the account's any more
 * or the visit was ended: both comparing and hashing take a while, and whoever was kept out meanwhile must
 * not get back in by it.
 */
export const changePassword = (
  store: Store,
  { accountId, passwordHash }: FittingPassword,
  newHash: string,
  keep: Keep,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write((tx) => {
    const row = selectAccount(tx.orm).get({ id: accountId });
    if (!row || row.passwordHash !== passwordHash) return null;
    const secret = renewVisitIn(tx, accountId, keep.visitId, random, now);
    if (secret === null) return null;
    setPasswordIn(tx, row.email, newHash, keep.visitId, now);
    if (!keep.keys) revokeKeys(tx, accountId, now);
    return secret;
  });
