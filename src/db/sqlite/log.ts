import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { isUnsure } from "./faults.ts";

/** SQLite's log beside the database, into which all commits go first. */
export type WalKeeper = {
  /**
   * Moves what is in the log into the database, once that is worth it. Returns whether anything was
   * written since the last look. Throws only after a failed sync.
   */
  readonly checkpoint: () => boolean;
  /**
   * Cuts the log off if its file has more than `bytes`. Returns its size where another process keeps it
   * from that, else null. Throws where the storage fails.
   */
  readonly empty: (bytes: number) => number | null;
};

/** SQLite's own measure: a log of so many pages is moved into the database. */
const PAGES = 1_000;

/**
 * Keeps the log of a server. SQLite would move it into the database by itself, after a commit, and keep
 * to itself what fails then: a failed sync must be heard.
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

/** Where it fails, all that was committed stays in the log, and is moved next time. */
const tryTo = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (isUnsure(error)) throw error;
  }
};

/** A command's own: SQLite sees to it, after its commits and when it goes. */
export const NO_KEEPER: WalKeeper = { checkpoint: () => true, empty: () => null };

type Checkpoint = { readonly busy: number; readonly log: number; readonly checkpointed: number };

const NOTHING: Checkpoint = { busy: 0, log: 0, checkpointed: 0 };

const sizeOf = (file: string): number =>
  statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
