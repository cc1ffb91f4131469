import { and, eq, inArray, isNull } from "drizzle-orm";
import { type Account, isPro, type Plan, proEnd } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid, Refusal } from "../../domain/base/refusal.ts";
import { accountOf, type AccountRow } from "./credentials.ts";
import { endCredentials } from "./revocation.ts";
import { clearFailures } from "../calls/throttle.ts";
import { newId } from "../records/write.ts";
import type { Store } from "../store.ts";
import type { Orm } from "../query.ts";
import type { Tx } from "../writer.ts";
import { account } from "../schema/records.ts";

/**
 * Creates an account. With `passwordHash` null it cannot sign in with a password yet. Refused as
 * `invalid` if the e-mail is taken.
 */
export const addAccount = (
  store: Store,
  email: string,
  options: NewAccount,
  now: Instant,
): Promise<Account> => store.writer.write((tx) => insertAccount(tx, email, options, now));

type NewAccount = { readonly plan: Plan; readonly passwordHash: string | null };

/** Like `addAccount`, as part of a larger transaction. */
export const insertAccount = async (
  tx: Tx,
  email: string,
  { plan, passwordHash }: NewAccount,
  now: Instant,
): Promise<Account> => {
  if (await byEmail(tx.orm, email)) throw invalid(`There is already an account for ${email}.`);
  const values = { uid: newId(now), email, plan, passwordHash, createdAt: now };
  const made = await tx.orm
    .insert(account)
    .values({ ...values, planSource: "self_hosted", hw: 0 })
    .returning()
    .get();
  return accountOf(made);
};

/** Returns all accounts, oldest first. */
export const listAccounts = async (store: Store): Promise<readonly Account[]> =>
  (await store.reader.select().from(account).orderBy(account.id).all()).map(accountOf);

export const findAccount = async (store: Store, email: string): Promise<Account | null> => {
  const row = await byEmail(store.reader, email);
  return row ? accountOf(row) : null;
};

/** The account with an id; null if there is none. */
export const readAccount = async (store: Store, id: number): Promise<Account | null> => {
  const row = await store.reader.select().from(account).where(eq(account.id, id)).get();
  return row ? accountOf(row) : null;
};

/**
 * Changes the plan from now on. `until` is when Pro ends by itself; null means never. With `source`
 * null, the source stays as it is. Refused as `not_found` if the e-mail has no account.
 */
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
 * Sets a password and signs everyone out who may know the old one: every browser session except
 * `keep` ends, and so does every device's session (OWASP ASVS 5.0, 7.4.3). API keys stay; they are
 * revoked separately.
 */
export const setPassword = (
  store: Store,
  email: string,
  passwordHash: string,
  keep: { readonly browserSessionId: string | null },
  now: Instant,
): Promise<Account> =>
  store.writer.write((tx) => setPasswordIn(tx, email, passwordHash, keep.browserSessionId, now));

/** Like `setPassword`, as part of a larger transaction. */
export const setPasswordIn = async (
  tx: Tx,
  email: string,
  passwordHash: string,
  keepBrowserSessionId: string | null,
  now: Instant,
): Promise<Account> => {
  const changed = await changeIn(tx, email, () => ({ passwordHash }));
  await endCredentials(tx, changed.id, keepBrowserSessionId, now);
  await clearFailures(tx, email);
  return changed;
};

/** Returns the account's password hash. Null if it has none and signs in by other means. */
export const readPasswordHash = async (store: Store, accountId: number): Promise<string | null> =>
  (
    await store.reader
      .select({ hash: account.passwordHash })
      .from(account)
      .where(eq(account.id, accountId))
      .get()
  )?.hash ?? null;

/** Disables an account. All of its credentials are refused from the next call on. */
export const disableAccount = (store: Store, email: string, now: Instant): Promise<Account> =>
  change(store, email, (row) => ({ disabledAt: row.disabledAt ?? now }));

/** Undoes `disableAccount`: credentials that have not ended meanwhile work again. */
export const enableAccount = (store: Store, email: string): Promise<Account> =>
  change(store, email, () => ({ disabledAt: null }));

/**
 * Signs every browser and device of an account out, without a new password; with null, those of every account. Returns the
 * accounts.
 */
export const signOut = (
  store: Store,
  email: string | null,
  now: Instant,
): Promise<readonly Account[]> =>
  store.writer.write(async (tx) => {
    const rows =
      email === null ? await tx.orm.select().from(account).all() : [await mustFind(tx, email)];
    for (const { id } of rows) await endCredentials(tx, id, null, now);
    return rows.map(accountOf);
  });

export const byEmail = (orm: Orm, email: string): Promise<AccountRow | undefined> =>
  orm
    .select()
    .from(account)
    // Earlier versions kept accents apart if they were typed so.
    .where(inArray(account.email, [email, email.normalize("NFD")]))
    .get();

const change = (
  store: Store,
  email: string,
  fields: (row: AccountRow) => Partial<AccountRow>,
): Promise<Account> => store.writer.write((tx) => changeIn(tx, email, fields));

/**
 * Changes fields of an account as part of a larger transaction. Refused as `not_found` if the
 * e-mail has no account.
 */
export const changeIn = async (
  tx: Tx,
  email: string,
  fields: (row: AccountRow) => Partial<AccountRow>,
): Promise<Account> => {
  const row = await mustFind(tx, email);
  const changed = await tx.orm
    .update(account)
    .set(fields(row))
    .where(eq(account.id, row.id))
    .returning()
    .get();
  return accountOf(changed ?? row);
};

/** The account of an e-mail address. Refused as `not_found` if it has none. */
export const mustFind = async (tx: Tx, email: string): Promise<AccountRow> => {
  const row = await byEmail(tx.orm, email);
  if (!row) throw new Refusal("not_found", `There is no account for ${email}.`);
  return row;
};

/**
 * Gives an account another e-mail address: the next sign-in needs the new one, and those who are signed in stay so.
 * Returns the account. Refused as `invalid` if any account has that address, so only the server's owner may ask.
 */
export const changeEmail = (store: Store, accountId: number, email: string): Promise<Account> =>
  store.writer.write(async (tx) => {
    if (await byEmail(tx.orm, email)) throw invalid(`There is already an account for ${email}.`);
    const changed = await tx.orm
      .update(account)
      .set({ email })
      // An account that is being deleted keeps the name by which a later start finds what is left of it.
      .where(and(eq(account.id, accountId), isNull(account.disabledAt)))
      .returning()
      .get();
    if (!changed) throw invalid("This account has been deleted.");
    await clearFailures(tx, email);
    return accountOf(changed);
  });
