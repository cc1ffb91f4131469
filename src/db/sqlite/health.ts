import { sql } from "drizzle-orm";
import { isUsedUp } from "../../domain/base/disk-space.ts";
import type { Store } from "../store.ts";
import { server } from "../schema/records.ts";
import { readSpace } from "./files/disk-space.ts";

/** Whether the database answers a read. */
export const isReadable = async (store: Store): Promise<boolean> => {
  try {
    return store.reader.select().from(server).get() !== undefined;
  } catch {
    return false;
  }
};

/**
 * Whether there is room, and the storage took what was written last; if it did not, it is tried. While all
 * is well nothing is written for it, as anyone may ask.
 */
export const isWritable = async ({ directory, writer }: Store): Promise<boolean> => {
  const space = readSpace(directory);
  if (space !== null && isUsedUp(space)) return false;
  if (!writer.isFailing()) return true;
  if (writer.isBlocked()) return false;
  // SQLite writes nothing where nothing changes. A lease may always be higher.
  const higher = sql`${server.lease} + 1`;
  return writer
    .write((tx) => tx.orm.update(server).set({ lease: higher }).run())
    .then(
      () => true,
      () => false,
    );
};
