import type { Instant } from "../../domain/base/instant.ts";
import type { Random } from "../../domain/base/secret.ts";
import { setPasswordIn } from "./accounts.ts";
import { selectAccount } from "./credentials.ts";
import { revokeKeys } from "./revocation.ts";
import type { Store } from "../store.ts";
import { renewBrowserSessionIn, type VerifiedPassword } from "./browser-sessions.ts";

/**
 * What survives a password change: the browser it is done in and, if `keys` is true, the API keys.
 */
export type KeptAccess = { readonly browserSessionId: string; readonly keys: boolean };

/**
 * Sets a new password for a person who knew the current one, and ends everything that `setPassword`
 * ends. Returns the remaining browser session's new cookie. Returns null and changes nothing if the
 * account's password or that browser session is no longer valid: checking and hashing take a while,
 * and anyone shut out in that time must not get back in.
 */
export const changePassword = (
  store: Store,
  { accountId, passwordHash }: VerifiedPassword,
  newHash: string,
  keep: KeptAccess,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write(async (tx) => {
    const row = await selectAccount(tx.orm).get({ id: accountId });
    if (!row || row.passwordHash !== passwordHash) return null;
    const secret = await renewBrowserSessionIn(tx, accountId, keep.browserSessionId, random, now);
    if (secret === null) return null;
    await setPasswordIn(tx, row.email, newHash, keep.browserSessionId, now);
    if (!keep.keys) await revokeKeys(tx, accountId, now);
    return secret;
  });
