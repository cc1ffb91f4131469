import { and, eq, isNull, ne } from "drizzle-orm";
import type { Instant } from "../instant.ts";
import { code, knownBrowser, session, visit } from "./schema.ts";
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
  const visits = and(eq(visit.accountId, accountId), isNull(visit.endedAt));
  tx.orm
    .update(visit)
    .set({ endedAt: now })
    .where(keepVisitId === null ? visits : and(visits, ne(visit.id, keepVisitId)))
    .run();
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
