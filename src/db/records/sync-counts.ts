import { type Instant, MINUTE } from "../../domain/base/instant.ts";
import { countSync } from "./put.ts";
import type { Store } from "../store.ts";
import { saveAck } from "./acks.ts";

/**
 * Counts the records that a pull delivered to a session; pulls that delivered none count once a minute.
 * Nobody waits for the write: losing a count loses no record.
 */
export const countPull = (
  store: Store,
  { id, lastSyncAt }: { readonly id: string; readonly lastSyncAt?: Instant | null },
  pulled: number,
  now: Instant,
): void => {
  if (pulled === 0 && now - (lastSyncAt ?? 0) < MINUTE) return;
  store.writer
    .write(async (tx) => {
      await countSync(tx.orm, id, { pulled, applied: 0, rejected: 0 }, now);
      await saveAck(tx, store.acks, id);
    })
    .catch(() => {});
};
