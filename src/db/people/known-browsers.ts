import { and, desc, eq, notInArray } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import { digestSecret, mintSecret, type Random, secretKind } from "../../domain/base/secret.ts";
import type { Store } from "../store.ts";
import { knownBrowser } from "../schema/sign-in.ts";

/** How many browsers Docket remembers per account: those seen most recently. */
const MOST = 20;

/**
 * Remembers a browser in which someone signed in. Returns the cookie that identifies it: the one it
 * sent if that belongs to this account, otherwise a new one.
 */
export const rememberBrowser = (
  store: Store,
  accountId: number,
  before: string | null,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write((tx) => {
    const kept = before !== null && isKnown(tx.orm, accountId, before) ? before : null;
    const secret = kept ?? mintSecret("page", random);
    const row = { digest: digestSecret(secret), accountId, seenAt: now };
    tx.orm
      .insert(knownBrowser)
      .values(row)
      .onConflictDoUpdate({ target: knownBrowser.digest, set: row })
      .run();
    const newest = tx.orm
      .select({ digest: knownBrowser.digest })
      .from(knownBrowser)
      .where(eq(knownBrowser.accountId, accountId))
      .orderBy(desc(knownBrowser.seenAt))
      .limit(MOST);
    tx.orm
      .delete(knownBrowser)
      .where(and(eq(knownBrowser.accountId, accountId), notInArray(knownBrowser.digest, newest)))
      .run();
    return secret;
  });

/** Whether someone has signed in to the account from this browser before. */
export const isKnownBrowser = async (
  store: Store,
  accountId: number,
  secret: string,
): Promise<boolean> => isKnown(store.reader, accountId, secret);

const isKnown = (orm: Store["reader"], accountId: number, secret: string): boolean =>
  secretKind(secret) === "page" &&
  orm
    .select({ accountId: knownBrowser.accountId })
    .from(knownBrowser)
    .where(eq(knownBrowser.digest, digestSecret(secret)))
    .get()?.accountId === accountId;
