import { eq } from "drizzle-orm";
import { type Instant, MINUTE } from "../domain/base/instant.ts";
import type { Restore } from "../domain/sync/proof.ts";
import { account, server } from "./schema/records.ts";
import type { Store } from "./store.ts";

/** By how much the clock of a server that gave out a `server_time` may have been ahead of this one. */
const APART = 15 * MINUTE;

/**
 * Notes that older data were put in the place of newer ones, which the database itself cannot know: the epoch changes, so that
 * devices send everything they hold, and stamps go on above every `server_time` that was given out until `now`, by whichever server.
 */
export const noteRestored = async (store: Store, now: Instant): Promise<void> => {
  const from = Math.max(store.clock.lease, now + APART) + 1;
  await store.writer.write(async ({ orm }) => {
    const accounts = await orm
      .select({ id: account.id, hw: account.hw, restores: account.restores })
      .from(account)
      .all();
    for (const { id, hw, restores } of accounts) {
      const known = restores === null ? [] : (JSON.parse(restores) as readonly Restore[]);
      const all: readonly Restore[] = [...known, { newest: hw, from }];
      await orm
        .update(account)
        .set({ restores: JSON.stringify(all) })
        .where(eq(account.id, id))
        .run();
    }
    await orm.update(server).set({ lease: from, epoch: Bun.randomUUIDv7() }).run();
  });
  store.clock.start = from;
};
