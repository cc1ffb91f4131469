import { eq } from "drizzle-orm";
import { type Account, isPro, type Plan, proEnd } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid, notFound } from "../../domain/base/refusal.ts";
import { endCredentials } from "./revocation.ts";
import { forgetTries } from "../calls/throttle.ts";
import { newId } from "../records/ids.ts";
import type { Store } from "../store.ts";
import type { Orm } from "../sqlite/orm.ts";
import { account } from "../schema/records.ts";
import type { Tx } from "../sqlite/transaction.ts";

type AccountRow = typeof account.$inferSelect;

export const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  uid: row.uid,
  email: row.email,
  plan: row.plan,
  planSource: row.planSource,
  planUntil: row.planUntil,
  proEndedAt: row.proEndedAt,
  createdAt: row.createdAt,
  disabledAt: row.disabledAt,
  isOwner: row.owner === 1,
});

/** Makes an account with an e-mail that is not taken yet; `passwordHash` null: it cannot sign in yet. */
export const addAccount = (
  store: Store,
  email: string,
  options: NewAccount,
  now: Instant,
): Promise<Account> => store.writer.write((tx) => insertAccount(tx, email, options, now));

type NewAccount = { readonly plan: Plan; readonly passwordHash: string | null };

/** `addAccount`, in a transaction that does more. */
export const insertAccount = (
  tx: Tx,
  email: string,
  { plan, passwordHash }: NewAccount,
  now: Instant,
): Account => {
  if (byEmail(tx.orm, email)) throw invalid(`There is an account of ${email} already.`);
  const values = { uid: newId(now), email, plan, passwordHash, createdAt: now };
  const made = tx.orm
    .insert(account)
    .values({ ...values, planSource: "self_hosted", hw: 0 })
    .returning()
    .get();
  return accountOf(made);
};

export const listAccounts = async (store: Store): Promise<readonly Account[]> =>
  store.reader.select().from(account).orderBy(account.id).all().map(accountOf);

export const findAccount = async (store: Store, email: string): Promise<Account | null> => {
  const row = byEmail(store.reader, email);
  return row ? accountOf(row) : null;
};

/** Sets a plan from now on. `until` is when Pro ends by itself, null for never. */
export const setPlan = (
  store: Store,
  email: string,
  grant: { readonly plan: Plan; readonly until: Instant | null; readonly source: string | null },
  now: Instant,
): Promise<Account> =>
  change(store, email, (row) => ({
    plan: grant.plan,
    planUntil: grant.plan === "pro" ? grant.until : null,
    planSource: grant.source ?? row.planSource,
    proEndedAt: grant.plan === "free" && isPro(accountOf(row), now) ? now : proEnd(accountOf(row)),
  }));

/**
 * Sets a password. Whoever knew the old one is out: every browser's browser session, unless it is `keep`, and
 * every device's session ends (OWASP ASVS 5.0, 7.4.3). API keys stay, and can be revoked.
 */
export const setPassword = (
  store: Store,
  email: string,
  passwordHash: string,
  keep: { readonly browserSessionId: string | null },
  now: Instant,
): Promise<Account> =>
  store.writer.write((tx) => setPasswordIn(tx, email, passwordHash, keep.browserSessionId, now));

/** `setPassword`, in a transaction that does more. */
export const setPasswordIn = (
  tx: Tx,
  email: string,
  passwordHash: string,
  keepBrowserSessionId: string | null,
  now: Instant,
): Account => {
  const changed = changeIn(tx, email, () => ({ passwordHash }));
  endCredentials(tx, changed.id, keepBrowserSessionId, now);
  forgetTries(tx, email);
  return changed;
};

/** The account's password hash, null where it has none: it then signs in by other means. */
export const readPasswordHash = async (store: Store, accountId: number): Promise<string | null> =>
  store.reader
    .select({ hash: account.passwordHash })
    .from(account)
    .where(eq(account.id, accountId))
    .get()?.hash ?? null;

/** All credentials of a disabled account are refused from the next call on. */
export const disableAccount = (store: Store, email: string, now: Instant): Promise<Account> =>
  change(store, email, (row) => ({ disabledAt: row.disabledAt ?? now }));

export const enableAccount = (store: Store, email: string): Promise<Account> =>
  change(store, email, () => ({ disabledAt: null }));

export const byEmail = (orm: Orm, email: string): AccountRow | undefined =>
  orm.select().from(account).where(eq(account.email, email)).get();

const change = (
  store: Store,
  email: string,
  fields: (row: AccountRow) => Partial<AccountRow>,
): Promise<Account> => store.writer.write((tx) => changeIn(tx, email, fields));

/** Changes an account in a transaction that does more. */
export const changeIn = (
  tx: Tx,
  email: string,
  fields: (row: AccountRow) => Partial<AccountRow>,
): Account => {
  const row = byEmail(tx.orm, email);
  if (!row) throw notFound(`account as ${email}`);
  const changed = tx.orm
    .update(account)
    .set(fields(row))
    .where(eq(account.id, row.id))
    .returning()
    .get();
  return accountOf(changed ?? row);
};
