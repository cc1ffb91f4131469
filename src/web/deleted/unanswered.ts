import { listDeletions, type MassDeletion } from "../../db/deletions.ts";
import type { Instant } from "../../instant.ts";
import type { SignedInAsk } from "../ask.ts";

/** More than a person would look at one by one. */
const MOST = 20;

/** The newest pushes since then that deleted a great deal, and that nobody has restored yet. */
export const readUnanswered = async (
  { store, who, now }: SignedInAsk,
  since: Instant,
): Promise<readonly MassDeletion[]> => {
  const deletions = await listDeletions(store, who.account.id, now);
  return deletions
    .filter(({ restoredAt, at }) => restoredAt === null && at >= since)
    .slice(0, MOST);
};
