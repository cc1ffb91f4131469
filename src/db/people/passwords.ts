import type { Instant } from "../../domain/base/instant.ts";
import type { Random } from "../../domain/base/secret.ts";
import { setPasswordIn } from "./accounts.ts";
import { selectAccount } from "./credentials.ts";
import { revokeKeys } from "./revocation.ts";
import type { Store } from "../store.ts";
import { type FittingPassword, renewBrowserSessionIn } from "./browser-sessions.ts";

/** What stays when a password is changed: the browser in which it is done, and API keys unless they go too. */
export type Keep = { readonly browserSessionId: string; readonly keys: boolean };

/**
 * Sets a new password for whoever knew the present one, with all that `setPassword` ends. Returns the
 * cookie of the browser session that stays; null, and nothing changed, if the password is not the account's any more
 * or the browser session was ended: both comparing and hashing take a while, and whoever was kept out meanwhile must
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
    const secret = renewBrowserSessionIn(tx, accountId, keep.browserSessionId, random, now);
    if (secret === null) return null;
    setPasswordIn(tx, row.email, newHash, keep.browserSessionId, now);
    if (!keep.keys) revokeKeys(tx, accountId, now);
    return secret;
  });
