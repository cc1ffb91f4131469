import { listDeletions, type MassDeletion } from "../../db/history/mass-deletions.ts";
import type { Instant } from "../../domain/base/instant.ts";
import type { SignedInContext } from "../shared/page.ts";

/** More than a person would look at one by one. */
const MOST = 20;

/** The newest pushes since then that deleted a great deal, and that nobody has restored yet. */
export const readUnanswered = async (
  { store, who, now }: SignedInContext,
  since: Instant,
): Promise<readonly MassDeletion[]> => {
  const deletions = await listDeletions(store, who.account.id, now);
  return deletions
    .filter(({ restoredAt, at }) => restoredAt === null && at >= since)
    .slice(0, MOST);
};
