import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { isUnsure } from "./faults.ts";

/** SQLite's write-ahead log beside the database, into which all commits go first. */
export type WalKeeper = {
  /**
   * Moves the log into the database once it is long enough. Returns whether anything was written since the
   * last call. Throws only after a failed sync.
   */
  readonly checkpoint: () => boolean;
  /**
   * Truncates the log if its file has more than `bytes`. Returns its size in bytes if another process
   * prevents that, otherwise null. Throws if the storage fails.
   */
  readonly empty: (bytes: number) => number | null;
};

/** SQLite's own default: a log of this many pages is moved into the database. */
const PAGES = 1_000;

/**
 * Looks after a server's log. SQLite would move it into the database by itself after a commit, but would not
 * report errors, and a failed sync must be noticed.
 */
export const keepWal = (database: Database, file: string): WalKeeper => {
  database.run("PRAGMA wal_autocheckpoint = 0");
  const look = database.query<Checkpoint, []>("PRAGMA wal_checkpoint(NOOP)");
  const move = database.query<Checkpoint, []>("PRAGMA wal_checkpoint(PASSIVE)");
  const cut = database.query<Checkpoint, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  let seen = 0;
  return {
    checkpoint: () => {
      const { log, checkpointed } = look.get() ?? NOTHING;
      if (log >= PAGES && checkpointed < log) tryTo(() => move.get());
      const written = log !== seen;
      seen = log;
      return written;
    },
    empty: (bytes) => {
      if (sizeOf(file) <= bytes) return null;
      const { busy } = cut.get() ?? NOTHING;
      return busy === 0 ? null : sizeOf(file);
    },
  };
};

/** If it fails, all commits stay in the log and are moved next time. */
const tryTo = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (isUnsure(error)) throw error;
  }
};

/** For commands: SQLite looks after the log itself, after commits and on closing. */
export const NO_KEEPER: WalKeeper = { checkpoint: () => true, empty: () => null };

type Checkpoint = { readonly busy: number; readonly log: number; readonly checkpointed: number };

const NOTHING: Checkpoint = { busy: 0, log: 0, checkpointed: 0 };

const sizeOf = (file: string): number =>
  statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
