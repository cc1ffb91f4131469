import { and, eq } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import { redirect } from "../schema/sign-in.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** Whether the account has let an extension be sent back to this very address before. */
export const isRemembered = async (
  store: Store,
  accountId: number,
  uri: string,
): Promise<boolean> =>
  store.reader.select({ uri: redirect.uri }).from(redirect).where(own(accountId, uri)).get() !==
  undefined;

/** Remembers an address, in the transaction that lets it be used for the first time. */
export const rememberRedirect = (tx: Tx, accountId: number, uri: string, now: Instant): void => {
  tx.orm.insert(redirect).values({ accountId, uri, createdAt: now }).onConflictDoNothing().run();
};

/** An address that the account remembers, and since when. */
export type Redirect = { readonly uri: string; readonly createdAt: Instant };

/** The account's remembered addresses, the oldest first. */
export const listRedirects = async (
  store: Store,
  accountId: number,
): Promise<readonly Redirect[]> =>
  store.reader
    .select({ uri: redirect.uri, createdAt: redirect.createdAt })
    .from(redirect)
    .where(eq(redirect.accountId, accountId))
    .orderBy(redirect.createdAt, redirect.uri)
    .all();

/** From now on that address needs the password again. Whoever is signed in stays so. */
export const forgetRedirect = (store: Store, accountId: number, uri: string): Promise<void> =>
  store.writer.write((tx) => {
    tx.orm.delete(redirect).where(own(accountId, uri)).run();
  });

const own = (accountId: number, uri: string) =>
  and(eq(redirect.accountId, accountId), eq(redirect.uri, uri));
