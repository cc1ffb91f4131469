import { and, eq, gt, isNull, lt, ne, or } from "drizzle-orm";
import { DAY, type Instant } from "../instant.ts";
import type { Store } from "./open.ts";
import { apiKey, code, identity, knownBrowser, passkey, session, visit } from "./schema.ts";
import type { Tx } from "./writer.ts";

/**
 * Ends all that a person is signed in with: visits, but for `keepVisitId`, sessions, codes that were not
 * used yet, and what browsers are known by. API keys are no sign-in: they are revoked one by one.
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
};

/** Drops the account's passkeys and OpenID links: whoever added them before is out for good. */
export const forgetProofs = (tx: Tx, accountId: number): void => {
  tx.orm.delete(passkey).where(eq(passkey.accountId, accountId)).run();
  tx.orm.delete(identity).where(eq(identity.accountId, accountId)).run();
};

/** Signs all browsers out but the one that stays. */
export const endOtherVisits = (
  store: Store,
  accountId: number,
  keepVisitId: string,
  now: Instant,
): Promise<void> => store.writer.write((tx) => endVisits(tx, accountId, keepVisitId, now));

const endVisits = (tx: Tx, accountId: number, keepVisitId: string | null, now: Instant): void => {
  const visits = and(eq(visit.accountId, accountId), isNull(visit.endedAt));
  tx.orm
    .update(visit)
    .set({ endedAt: now })
    .where(keepVisitId === null ? visits : and(visits, ne(visit.id, keepVisitId)))
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
