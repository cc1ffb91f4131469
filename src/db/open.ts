import type { Store } from "./store.ts";
// oxlint-disable-next-line no-restricted-imports
import { type OpenOptions, openStore as openFile } from "./sqlite/open.ts";

export type { OpenOptions };

// The one place that knows which engine keeps the data.

/** Opens the data: in the directory, or in the PostgreSQL database that `database` names. */
export const openStore = async (options: OpenOptions): Promise<Store> => {
  if (options.database == null) return openFile(options);
  const { openPostgres } = await import("./postgres/open.ts");
  return openPostgres(options.database, options);
};
