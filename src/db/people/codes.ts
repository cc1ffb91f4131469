import { and, eq, isNull, lt } from "drizzle-orm";
import { CODE_LIFETIME, type CodePurpose } from "../../domain/people/code.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { digestSecret } from "../../domain/base/secret.ts";
import { newId } from "../records/ids.ts";
import { code } from "../schema/sign-in.ts";
import type { Tx } from "../sqlite/transaction.ts";

export type CodeRow = typeof code.$inferSelect;

/** What a code is good for, beside its purpose. */
export type CodeGrant = {
  /** Whose it is, null where there is no account yet. */
  readonly accountId: number | null;
  readonly redirectUri?: string;
  readonly challenge?: string;
  readonly deviceName?: string;
};

/** Keeps a code's digest, from now until it expires. Drops codes that expired long ago. */
export const insertCode = (
  tx: Tx,
  purpose: CodePurpose,
  secret: string,
  grant: CodeGrant,
  now: Instant,
): void => {
  tx.orm
    .delete(code)
    .where(lt(code.expiresAt, now - DAY))
    .run();
  tx.orm
    .insert(code)
    .values({
      id: newId(now),
      purpose,
      digest: digestSecret(secret),
      ...grant,
      createdAt: now,
      expiresAt: now + CODE_LIFETIME[purpose],
    })
    .run();
};

/** What became of a code that someone sent. */
export type CodeState = "expired" | "good" | "unknown" | "used";

type FoundCode =
  | { readonly state: "expired" | "unknown"; readonly row: null }
  | { readonly state: "good" | "used"; readonly row: CodeRow };

/** Looks a code up. Nothing is changed. */
export const findCode = (
  tx: Pick<Tx, "orm">,
  purpose: CodePurpose,
  secret: string,
  now: Instant,
): FoundCode => {
  const digest = digestSecret(secret);
  const row = tx.orm.select().from(code).where(eq(code.digest, digest)).get();
  if (!row || row.purpose !== purpose || !crypto.timingSafeEqual(row.digest, digest))
    return { state: "unknown", row: null };
  if (row.usedAt !== null) return { state: "used", row };
  // A clock that was set back does not give a code more time.
  const good = now < row.expiresAt && now >= row.createdAt - DAY;
  return good ? { state: "good", row } : { state: "expired", row: null };
};

/** Uses a code up, in the transaction that does what it is for. */
export const useCode = (tx: Tx, id: string, sessionId: string | null, now: Instant): void => {
  tx.orm.update(code).set({ usedAt: now, sessionId }).where(eq(code.id, id)).run();
};

/** Drops codes of a purpose that nobody has used yet: a new one takes their place. */
export const deleteCodes = (tx: Tx, purpose: CodePurpose, accountId: number | null): void => {
  tx.orm
    .delete(code)
    .where(
      and(
        eq(code.purpose, purpose),
        accountId === null ? isNull(code.accountId) : eq(code.accountId, accountId),
        isNull(code.usedAt),
      ),
    )
    .run();
};
