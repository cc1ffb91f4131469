import { eq } from "drizzle-orm";
import { type Instant, MINUTE } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import type { apiKey, session } from "../schema/credentials.ts";
import type { browserSession } from "../schema/sign-in.ts";

/**
 * Notes that a key, a session or a browser session is used. To the minute, and nobody waits for it: where it is lost, a session
 * or a browser session ends a little earlier.
 */
export const touch = (
  store: Store,
  table: typeof apiKey | typeof session | typeof browserSession,
  { id, lastUsedAt }: { readonly id: string; readonly lastUsedAt: Instant | null },
  now: Instant,
): void => {
  if (now - (lastUsedAt ?? 0) < MINUTE) return;
  store.writer
    .write((tx) => tx.orm.update(table).set({ lastUsedAt: now }).where(eq(table.id, id)).run())
    .catch(() => {});
};
