import { and, eq, gt, isNull, lt, ne, or, type SQL } from "drizzle-orm";
import { DAY, type Instant } from "../instant.ts";
import { dropCodes } from "./codes.ts";
import type { Store } from "./open.ts";
import { apiKey, session } from "./schema.credentials.ts";
import { code, identity, knownBrowser, passkey, redirect, visit } from "./schema.entry.ts";
import type { Tx } from "./writer.ts";

/**
 * Ends all that a person is signed in with: visits, but for `keepVisitId`, sessions, codes that were not
 * used yet, what browsers are known by, and the extensions that were let in. API keys are no sign-in: they are revoked one by one.
 */
export const endCredentials = (
  tx: Tx,
  accountId: number,
  keepVisitId: string | null,
  now: Instant,
): void => {
  endVisits(tx, accountId, keepVisitId, now);
  tx.orm
    .update(session)
    .set({ revokedAt: now })
    .where(and(eq(session.accountId, accountId), isNull(session.revokedAt)))
    .run();
  tx.orm
    .delete(code)
    .where(and(eq(code.accountId, accountId), isNull(code.usedAt)))
    .run();
  tx.orm.delete(knownBrowser).where(eq(knownBrowser.accountId, accountId)).run();
  tx.orm.delete(redirect).where(eq(redirect.accountId, accountId)).run();
};

/** Drops the account's passkeys and OpenID links: whoever added them before is out for good. */
export const forgetProofs = (tx: Tx, accountId: number): void => {
  tx.orm.delete(passkey).where(eq(passkey.accountId, accountId)).run();
  tx.orm.delete(identity).where(eq(identity.accountId, accountId)).run();
};

/** Signs all browsers out but the one that stays, and voids the codes that they may have made. */
export const endOtherVisits = (
  store: Store,
  accountId: number,
  keepVisitId: string,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => {
    endVisits(tx, accountId, keepVisitId, now);
    dropSignInCodes(tx, accountId);
  });

/** A browser signs itself out: its cookie is refused from the next call on. Ending twice keeps the first time. */
export const endVisit = (
  store: Store,
  accountId: number,
  id: string,
  now: Instant,
): Promise<void> => store.writer.write((tx) => endWhere(tx, accountId, eq(visit.id, id), now));

/** Signs one browser of the account out, and voids the codes that it may have made. */
export const endOneVisit = (
  store: Store,
  accountId: number,
  visitId: string,
  now: Instant,
): Promise<void> =>
  store.writer.write((tx) => {
    endWhere(tx, accountId, eq(visit.id, visitId), now);
    dropSignInCodes(tx, accountId);
  });

/** Whoever is shown out must not come in again by a device that they have not signed in yet. */
const dropSignInCodes = (tx: Tx, accountId: number): void => {
  dropCodes(tx, "pairing", accountId);
  dropCodes(tx, "oauth", accountId);
};

const endVisits = (tx: Tx, accountId: number, keepVisitId: string | null, now: Instant): void =>
  endWhere(tx, accountId, keepVisitId === null ? undefined : ne(visit.id, keepVisitId), now);

const endWhere = (tx: Tx, accountId: number, which: SQL | undefined, now: Instant): void => {
  tx.orm
    .update(visit)
    .set({ endedAt: now })
    .where(and(eq(visit.accountId, accountId), isNull(visit.endedAt), which))
    .run();
};

/** Revokes every API key of the account that is live. */
export const revokeKeys = (tx: Tx, accountId: number, now: Instant): void => {
  const live = and(
    eq(apiKey.accountId, accountId),
    isNull(apiKey.revokedAt),
    or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, now)),
  );
  tx.orm.update(apiKey).set({ revokedAt: now }).where(live).run();
};

/** How long a visit is kept after it was made: twice as long as any lasts. */
const KEPT = 180 * DAY;

/** Drops visits that are long over. */
export const pruneVisits = (store: Store, now: Instant): Promise<void> =>
  store.writer.write((tx) => {
    tx.orm
      .delete(visit)
      .where(lt(visit.createdAt, now - KEPT))
      .run();
  });
