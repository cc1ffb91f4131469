import { eq } from "drizzle-orm";
import { type Account, isPro, type Plan, proEnd } from "../account.ts";
import type { Instant } from "../instant.ts";
import { invalid, notFound } from "../refusal.ts";
import { newId } from "./ids.ts";
import type { Store } from "./open.ts";
import type { Orm } from "./orm.ts";
import { account } from "./schema.ts";

type AccountRow = typeof account.$inferSelect;

export const accountOf = (row: AccountRow): Account => {
  const { passwordHash: _secret, hw: _stamp, inboxTaskId: _inbox, ...shown } = row;
  return shown;
};

/** Makes an account with an e-mail that is not taken yet; `passwordHash` null: it cannot sign in yet. */
export const addAccount = (
  store: Store,
  email: string,
  options: { readonly plan: Plan; readonly passwordHash: string | null },
  now: Instant,
): Promise<Account> =>
  store.writer.write((tx) => {
    if (byEmail(tx.orm, email)) throw invalid(`There is an account of ${email} already.`);
    const made = tx.orm
      .insert(account)
      .values({
        uid: newId(now),
        email,
        ...options,
        planSource: "self_hosted",
        createdAt: now,
        hw: 0,
      })
      .returning()
      .get();
    return accountOf(made);
  });

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

export const setPassword = (store: Store, email: string, passwordHash: string): Promise<Account> =>
  change(store, email, () => ({ passwordHash }));

/** All credentials of a disabled account are refused from the next call on. */
export const disableAccount = (store: Store, email: string, now: Instant): Promise<Account> =>
  change(store, email, (row) => ({ disabledAt: row.disabledAt ?? now }));

export const enableAccount = (store: Store, email: string): Promise<Account> =>
  change(store, email, () => ({ disabledAt: null }));

const byEmail = (orm: Orm, email: string): AccountRow | undefined =>
  orm.select().from(account).where(eq(account.email, email)).get();

const change = (
  store: Store,
  email: string,
  fields: (row: AccountRow) => Partial<AccountRow>,
): Promise<Account> =>
  store.writer.write((tx) => {
    const row = byEmail(tx.orm, email);
    if (!row) throw notFound(`account as ${email}`);
    const changed = tx.orm
      .update(account)
      .set(fields(row))
      .where(eq(account.id, row.id))
      .returning()
      .get();
    return accountOf(changed ?? row);
  });
