import { sql } from "drizzle-orm";
import { isUsedUp } from "../domain/base/disk-space.ts";
import type { Store } from "./store.ts";
import { server } from "./schema/records.ts";
import { readSpace } from "./disk-space.ts";

/** Whether the database answers a read. */
export const isReadable = async (store: Store): Promise<boolean> => {
  try {
    return (await store.reader.select().from(server).get()) !== undefined;
  } catch {
    return false;
  }
};

/**
 * Whether there is free space and the last write succeeded; if it failed, tries a write. While all is well
 * this writes nothing, since anyone may call it.
 */
export const isWritable = async ({ directory, writer }: Store): Promise<boolean> => {
  const space = readSpace(directory);
  if (space !== null && isUsedUp(space)) return false;
  if (!writer.isFailing()) return true;
  if (writer.isBlocked()) return false;
  // SQLite does not write a value that does not change, so raise the lease. A higher lease is always allowed.
  const higher = sql`${server.lease} + 1`;
  return writer
    .write((tx) => tx.orm.update(server).set({ lease: higher }).run())
    .then(
      () => true,
      () => false,
    );
};
