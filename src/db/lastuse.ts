import { eq } from "drizzle-orm";
import { type Instant, MINUTE } from "../instant.ts";
import type { Store } from "./open.ts";
import type { apiKey, session } from "./schema.credentials.ts";
import type { visit } from "./schema.entry.ts";

/**
 * Notes that a key, a session or a visit is used. To the minute, and nobody waits for it: where it is lost, a session
 * or a visit ends a little earlier.
 */
export const touch = (
  store: Store,
  table: typeof apiKey | typeof session | typeof visit,
  { id, lastUsedAt }: { readonly id: string; readonly lastUsedAt: Instant | null },
  now: Instant,
): void => {
  if (now - (lastUsedAt ?? 0) < MINUTE) return;
  store.writer
    .write((tx) => tx.orm.update(table).set({ lastUsedAt: now }).where(eq(table.id, id)).run())
    .catch(() => {});
};
