import { UnusableDatabase } from "../unusable.ts";
import { Database } from "bun:sqlite";

/**
 * Opens a connection on which a confirmed commit survives a power cut. Creates the database if there is none.
 */
export const connect = (file: string): Database => {
  const database = new Database(file, { create: true });
  try {
    for (const pragma of PRAGMAS) database.run(`PRAGMA ${pragma}`);
    checkDurability(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const checkDurability = (database: Database): void => {
  const { synchronous } = database.query("PRAGMA synchronous").get() as { synchronous: number };
  const { journal_mode } = database.query("PRAGMA journal_mode").get() as { journal_mode: string };
  if (synchronous !== 2 || journal_mode !== "wal")
    throw new UnusableDatabase(
      `SQLite cannot promise that confirmed writes are on the disk (journal mode ${journal_mode}). ` +
        "Put the data directory on a local disk.",
    );
};

/** How much of a connection's pages SQLite keeps in memory. */
const CACHE_KIB = 16_000;

/**
 * `busy_timeout` comes first, since the others may meet a lock. FULL syncs the log at every commit. `page_size` counts for
 * new databases: of tasks of 2 KiB, only one is in a page of 4 KiB, SQLite's default, and the file took 1.47 times as much
 * for the same processor time.
 */
const PRAGMAS = [
  "busy_timeout = 5000",
  "page_size = 8192",
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  "mmap_size = 0",
  `cache_size = -${CACHE_KIB}`,
  "temp_store = MEMORY",
  "journal_size_limit = 67108864",
  "cell_size_check = ON",
  "trusted_schema = OFF",
];
