import { and, eq, isNull, lt } from "drizzle-orm";
import { CODE_LIFETIME, type CodePurpose } from "../../domain/people/code.ts";
import { DAY, type Instant } from "../../domain/base/instant.ts";
import { digestSecret } from "../../domain/base/secret.ts";
import { newId } from "../records/write.ts";
import { code } from "../schema/sign-in.ts";
import type { Tx } from "../writer.ts";

export type CodeRow = typeof code.$inferSelect;

/** What a code grants, in addition to its purpose. */
export type CodeGrant = {
  /** The account it belongs to; null if there is no account yet. */
  readonly accountId: number | null;
  readonly redirectUri?: string;
  readonly challenge?: string;
  readonly deviceName?: string;
  readonly allowed?: string;
};

/** Stores a code's digest with its expiry, and deletes codes that expired more than a day ago. */
export const insertCode = async (
  tx: Tx,
  purpose: CodePurpose,
  secret: string,
  grant: CodeGrant,
  now: Instant,
): Promise<void> => {
  await tx.orm
    .delete(code)
    .where(lt(code.expiresAt, now - DAY))
    .run();
  await tx.orm
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

/** The state of a code that someone entered. */
export type CodeState = "expired" | "good" | "unknown" | "used";

type FoundCode =
  | { readonly state: "expired" | "unknown"; readonly row: null }
  | { readonly state: "good" | "used"; readonly row: CodeRow };

/** Looks up a code. Changes nothing. */
export const findCode = async (
  tx: Pick<Tx, "orm">,
  purpose: CodePurpose,
  secret: string,
  now: Instant,
): Promise<FoundCode> => {
  const digest = digestSecret(secret);
  const row = await tx.orm.select().from(code).where(eq(code.digest, digest)).get();
  if (!row || row.purpose !== purpose || !crypto.timingSafeEqual(row.digest, digest))
    return { state: "unknown", row: null };
  if (row.usedAt !== null) return { state: "used", row };
  // Setting the clock back does not give a code more time.
  const good = now < row.expiresAt && now >= row.createdAt - DAY;
  return good ? { state: "good", row } : { state: "expired", row: null };
};

/** Marks a code as used, in the same transaction as the work that it allows. */
export const useCode = async (
  tx: Tx,
  id: string,
  sessionId: string | null,
  now: Instant,
): Promise<void> => {
  await tx.orm.update(code).set({ usedAt: now, sessionId }).where(eq(code.id, id)).run();
};

/** Deletes a purpose's unused codes, so that a new one replaces them. */
export const deleteCodes = async (
  tx: Tx,
  purpose: CodePurpose,
  accountId: number | null,
): Promise<void> => {
  await tx.orm
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
