import { eq } from "drizzle-orm";
import type { Instant } from "../domain/base/instant.ts";
import type { Restore } from "../domain/sync/proof.ts";
import { account, server } from "./schema/records.ts";
import type { Store } from "./store.ts";

/**
 * Notes that older data were put in the place of newer ones, which the database itself cannot know: the epoch changes, so that
 * devices send everything they hold, and stamps go on from `from`, which is above every `server_time` that was given out.
 */
export const noteRestored = async (store: Store, from: Instant): Promise<void> => {
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
