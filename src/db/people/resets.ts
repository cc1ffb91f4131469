import type { Account } from "../../domain/people/account.ts";
import { mintCode, readCode } from "../../domain/people/code.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid, Refusal } from "../../domain/base/refusal.ts";
import type { Random } from "../../domain/base/secret.ts";
import { setPasswordIn } from "./accounts.ts";
import { type CodeRow, deleteCodes, findCode, insertCode, useCode } from "./codes.ts";
import { selectAccount } from "./credentials.ts";
import { CODE_PROBLEMS } from "./owner.ts";
import type { Store } from "../store.ts";
import type { Tx } from "../writer.ts";

/**
 * Returns a code with which the account's person can set a new password. It replaces an earlier one. Refused as `not_found`
 * if there is no such account, and as `invalid` if it is disabled.
 */
export const issueReset = (
  store: Store,
  accountId: number,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write(async (tx) => {
    const row = await selectAccount(tx.orm).get({ id: accountId });
    if (!row) throw new Refusal("not_found", "There is no such account.");
    if (row.disabledAt !== null) throw invalid("This account is disabled. Enable it first.");
    await deleteCodes(tx, "reset", accountId);
    const code = mintCode("reset", random);
    await insertCode(tx, "reset", code, { accountId }, now);
    return code;
  });

/** Returns the e-mail address of the account that a code resets. Refused as `invalid` exactly as its use would be. */
export const readReset = async (store: Store, typed: string, now: Instant): Promise<string> =>
  (await goodReset({ orm: store.reader }, typed, now)).email;

/**
 * Sets the password, and signs out every browser and device, like any new password. Returns the account. The code works
 * once: refused as `invalid` after that.
 */
export const resetPassword = (
  store: Store,
  typed: string,
  passwordHash: string,
  now: Instant,
): Promise<Account> =>
  store.writer.write(async (tx) => {
    const { row, email } = await goodReset(tx, typed, now);
    await useCode(tx, row.id, null, now);
    return setPasswordIn(tx, email, passwordHash, null, now);
  });

const goodReset = async (
  tx: Pick<Tx, "orm">,
  typed: string,
  now: Instant,
): Promise<{ readonly row: CodeRow; readonly email: string }> => {
  const { state, row } = await findCode(tx, "reset", readCode(typed), now);
  if (row === null || state !== "good") throw invalid(`${CODE_PROBLEMS[state]} ${REMEDY}`);
  const account = await selectAccount(tx.orm).get({ id: row.accountId ?? 0 });
  if (!account || account.disabledAt !== null) throw invalid(`${CODE_PROBLEMS.unknown} ${REMEDY}`);
  return { row, email: account.email };
};

const REMEDY = "Ask the owner of this server for a new link.";
