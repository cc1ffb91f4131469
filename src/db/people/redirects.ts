import { and, eq } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import { redirect } from "../schema/sign-in.ts";
import type { Tx } from "../writer.ts";

/** Whether the account has allowed sending an extension back to exactly this address before. */
export const isRemembered = async (
  store: Store,
  accountId: number,
  uri: string,
): Promise<boolean> =>
  (await store.reader
    .select({ uri: redirect.uri })
    .from(redirect)
    .where(own(accountId, uri))
    .get()) !== undefined;

/** Remembers an address, in the same transaction as its first use. */
export const rememberRedirect = async (
  tx: Tx,
  accountId: number,
  uri: string,
  now: Instant,
): Promise<void> => {
  await tx.orm
    .insert(redirect)
    .values({ accountId, uri, createdAt: now })
    .onConflictDoNothing()
    .run();
};

/** An address that the account remembers, and since when. */
export type Redirect = { readonly uri: string; readonly createdAt: Instant };

/** Returns the account's remembered addresses, oldest first. */
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

/**
 * Forgets an address, so that it requires the password again. Devices already signed in stay signed
 * in.
 */
export const forgetRedirect = (store: Store, accountId: number, uri: string): Promise<void> =>
  store.writer.write(async (tx) => {
    await tx.orm.delete(redirect).where(own(accountId, uri)).run();
  });

const own = (accountId: number, uri: string) =>
  and(eq(redirect.accountId, accountId), eq(redirect.uri, uri));
