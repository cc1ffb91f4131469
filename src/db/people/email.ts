import { and, eq, isNull } from "drizzle-orm";
import type { Account } from "../../domain/people/account.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { accountOf, byEmail } from "./accounts.ts";
import { clearFailures } from "../calls/throttle.ts";
import type { Store } from "../store.ts";
import { account } from "../schema/records.ts";

/**
 * Gives an account another e-mail address: the next sign-in needs the new one, and those who are signed in stay so.
 * Returns the account. Refused as `invalid` if any account has that address, so only the server's owner may ask.
 */
export const changeEmail = (store: Store, accountId: number, email: string): Promise<Account> =>
  store.writer.write((tx) => {
    if (byEmail(tx.orm, email)) throw invalid(`There is already an account for ${email}.`);
    const changed = tx.orm
      .update(account)
      .set({ email })
      // An account that is being deleted keeps the name by which a later start finds what is left of it.
      .where(and(eq(account.id, accountId), isNull(account.disabledAt)))
      .returning()
      .get();
    if (!changed) throw invalid("This account has been deleted.");
    clearFailures(tx, email);
    return accountOf(changed);
  });
