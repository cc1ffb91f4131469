import { eq } from "drizzle-orm";
import { type Instant, MINUTE } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import type { apiKey, session } from "../schema/credentials.ts";
import type { browserSession } from "../schema/sign-in.ts";

/**
 * Records that a key, a session or a browser session is in use, at most once a minute. Nobody waits
 * for this write. If it is lost, a session or browser session ends a little early.
 */
export const recordUse = (
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
