import type { Store } from "./open.ts";
import { server } from "./schema.ts";

/** Whether the database answers a read. */
export const isReadable = async (store: Store): Promise<boolean> => {
  try {
    return store.reader.select().from(server).get() !== undefined;
  } catch {
    return false;
  }
};
