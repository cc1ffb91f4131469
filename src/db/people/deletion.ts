import { eq, like, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { clearFailures } from "../calls/throttle.ts";
import { claim, departure } from "../schema/agents.ts";
import { activity, apiKey, session } from "../schema/credentials.ts";
import { massDeletion, storedReply, version } from "../schema/history.ts";
import { icon } from "../schema/icons.ts";
import { fileImport, imported } from "../schema/imports.ts";
import { account, agentChild, record } from "../schema/records.ts";
import {
  authenticator,
  browserSession,
  code,
  identity,
  knownBrowser,
  passkey,
  recoveryCode,
  redirect,
} from "../schema/sign-in.ts";
import type { Tx } from "../writer.ts";
import type { Store } from "../store.ts";

/**
 * Shuts an account for good, in one transaction: every credential is refused from the next call on, and its e-mail
 * address is free. Its rows go with `purgeAccount`. Refused as `forbidden` for the owner. False if there is no such
 * account.
 */
export const shutAccount = (store: Store, accountId: number, now: Instant): Promise<boolean> =>
  store.writer.write(async (tx) => {
    const row = await tx.orm.select().from(account).where(eq(account.id, accountId)).get();
    if (!row || row.email.startsWith(SHUT)) return false;
    if (row.owner === 1) throw new Refusal("forbidden", OWNER_STAYS);
    const shut = { email: SHUT + row.uid, passwordHash: null, disabledAt: now };
    await tx.orm.update(account).set(shut).where(eq(account.id, accountId)).run();
    await clearFailures(tx, row.email);
    return true;
  });

export const OWNER_STAYS =
  "The owner's account cannot be deleted: the server would have nobody who can invite others. To remove everything, delete the server's data directory.";

/** No e-mail address has a space in it. */
const SHUT = "deleted ";

/** Rows deleted per transaction, so that no other write waits long. */
const AT_ONCE = 1_000;

/** Deletes the rows and the search index of an account that was shut, in small batches. */
export const purgeAccount = async (store: Store, accountId: number): Promise<void> => {
  for (const purge of PURGES)
    while ((await store.writer.write((tx) => purge(tx, accountId))) === AT_ONCE);
  await store.writer.write(async (tx) => {
    // Once more, for a call that was in progress when the account was shut.
    for (const purge of PURGES) while ((await purge(tx, accountId)) === AT_ONCE);
    await tx.orm.delete(agentChild).where(eq(agentChild.accountId, accountId)).run();
    await tx.orm.delete(account).where(eq(account.id, accountId)).run();
  });
  store.searcher.forget();
};

type Purge = (tx: Tx, accountId: number) => Promise<number>;

const rowsOf =
  (table: (typeof OWNED)[number]): Purge =>
  async ({ orm }, accountId) => {
    const some = sql`select rowid from ${table} where ${table.accountId} = ${accountId} limit ${AT_ONCE}`;
    const deleted = await orm
      .delete(table)
      .where(sql`rowid in (${some})`)
      .returning({ owner: table.accountId })
      .all();
    return deleted.length;
  };

/** Kept replies name the credential alone, so they go while it is there. */
const replies: Purge = async ({ orm }, accountId) => {
  const owners = sql`select id from ${apiKey} where ${apiKey.accountId} = ${accountId}
    union all select id from ${session} where ${session.accountId} = ${accountId}`;
  const some = sql`select rowid from ${storedReply} where ${storedReply.credentialId} in (${owners}) limit ${AT_ONCE}`;
  const deleted = await orm
    .delete(storedReply)
    .where(sql`rowid in (${some})`)
    .returning({ at: storedReply.at })
    .all();
  return deleted.length;
};

const OWNED = [
  record,
  version,
  massDeletion,
  fileImport,
  imported,
  icon,
  claim,
  departure,
  activity,
  apiKey,
  session,
  browserSession,
  knownBrowser,
  code,
  passkey,
  authenticator,
  recoveryCode,
  identity,
  redirect,
] as const;

const PURGES: readonly Purge[] = [replies, ...OWNED.map(rowsOf)];

/** Deletes what is left of accounts that were shut before the server ended. */
export const finishDeletions = async (store: Store): Promise<void> => {
  const shut = await store.reader
    .select({ id: account.id })
    .from(account)
    .where(like(account.email, `${SHUT}%`))
    .all();
  for (const { id } of shut) await purgeAccount(store, id);
  await store.searcher.forgetGone();
};
