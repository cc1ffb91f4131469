import { type Instant, MINUTE } from "../../domain/base/instant.ts";
import { countSync } from "../sqlite/sync/counts.ts";
import type { Store } from "../store.ts";
import { saveAck } from "./acks.ts";

/**
 * Counts the records that a pull delivered to a session; one that delivered none, once a minute. Nobody
 * waits for it: a lost count is no lost record.
 */
export const countPull = (
  store: Store,
  { id, lastSyncAt }: { readonly id: string; readonly lastSyncAt?: Instant | null },
  pulled: number,
  now: Instant,
): void => {
  if (pulled === 0 && now - (lastSyncAt ?? 0) < MINUTE) return;
  store.writer
    .write((tx) => {
      countSync(tx.orm, id, { pulled, applied: 0, rejected: 0 }, now);
      saveAck(tx, store.acks, id);
    })
    .catch(() => {});
};
