import type { Instant } from "../instant.ts";
import { massDeletion } from "./schema.history.ts";
import type { Tx } from "./writer.ts";

/** A push that deletes more than this is done, and noted with a way back. */
const MANY = 100;

/** Notes that a push deleted so many records, if that is very many. */
export const noteDeletion = (
  tx: Tx,
  accountId: number,
  sessionId: string | null,
  records: number,
  now: Instant,
): void => {
  if (records <= MANY) return;
  const stamp = tx.stamp(accountId, now);
  tx.orm.insert(massDeletion).values({ accountId, sessionId, at: now, stamp, records }).run();
};
