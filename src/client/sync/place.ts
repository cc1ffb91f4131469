import type { Database } from "../store/database.ts";
import type { Row } from "../store/row.ts";
import type { Request } from "./ask.ts";

/** Where a sync happens: a store and a server. */
export type Place = {
  readonly run: <T>(job: (db: Database) => Promise<T>) => Promise<T>;
  readonly request: Request;
  /** How much one push may hold, in bytes: less after one that did not get through, and more again with each that did. */
  readonly load: { bytes: number };
  /** Shows rows that the sync has changed in the store. */
  readonly changed: (rows: readonly Row[]) => void;
  /** The server turns out to have been restored from a backup. */
  readonly restored: () => void;
};
