import type { Database } from "bun:sqlite";
import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Instant, SECOND } from "../../../domain/base/instant.ts";
import type { ServerClock } from "../../records/clock.ts";

/**
 * The small file beside the database that says how far the clock of its last server had come, and when the database's own
 * file was made. It is never ahead of the database, so one that lies behind it was put there from a copy. The database says
 * in turn (`user_version`, which copies keep) that it had such a file.
 */
export type LeaseFile = {
  /** Whether the database is not the one that the last server here left. */
  readonly isFromElsewhere: boolean;
  /** What the file said; 0 if it said nothing. */
  readonly left: Instant;
  /** Writes the clock's lease into the file, now and every ten seconds. */
  readonly follow: (clock: ServerClock) => void;
  /** Stops following, and says 0 until `note`: the lease may be lowered. */
  readonly loosen: () => void;
  /** Writes a lease that is on the disk, and closes the file. */
  readonly end: (lease: Instant) => void;
};

const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0 } = constants;

const EVERY = 10 * SECOND;

/** All notes have this length, so that one replaces another in place, within one sector of a disk. */
const LENGTH = 64;

/** The `user_version` of a database that had a lease file. */
const HAD_ONE = 1;

/** Call it with the directory's lock. `lease` is the one in the database. */
export const openLeaseFile = (database: Database, directory: string, lease: Instant): LeaseFile => {
  const left = readNote(directory);
  const note = notesIn(directory);
  const hadOne = database.query("PRAGMA user_version").values()[0]?.[0] === HAD_ONE;
  let timer: Timer | undefined;
  return {
    isFromElsewhere: left === null ? hadOne : left.lease > lease || left.born !== bornIn(directory),
    left: left?.lease ?? 0,
    follow: (clock) => {
      note.write(clock.lease);
      if (!hadOne) noteThatItHadOne(database);
      timer = setInterval(() => note.write(clock.lease), EVERY);
      timer.unref();
    },
    loosen: () => {
      clearInterval(timer);
      note.write(0);
    },
    end: (reached) => {
      note.write(reached);
      note.close();
    },
  };
};

/** Notes that the database is the one that belongs here, however far it has come. */
export const noteFile = (directory: string): void => {
  const note = notesIn(directory);
  note.write(0);
  note.close();
};

const noteThatItHadOne = (database: Database): void => {
  try {
    database.run(`PRAGMA user_version = ${HAD_ONE}`);
  } catch {
    // The disk takes nothing, or another process writes. The next start tries again.
  }
};

const fileIn = (directory: string): string => join(directory, "docket.lease");

const notesIn = (directory: string) => {
  const born = bornIn(directory);
  let descriptor: number | null = null;
  return {
    write: (lease: Instant): void => {
      try {
        descriptor ??= openSync(fileIn(directory), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
        writeSync(descriptor, `${`${lease} ${born}`.padEnd(LENGTH - 1)}\n`, 0);
      } catch {
        // The disk takes nothing. What the file says then is too old, never too new.
      }
    },
    close: (): void => {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
};

/** When the file of the database was made. Its number would not do: a new file often gets that of a removed one. */
const bornIn = (directory: string): string =>
  String(statSync(join(directory, "docket.db"), { bigint: true }).birthtimeNs);

const readNote = (directory: string): { readonly lease: Instant; readonly born: string } | null => {
  try {
    const text = readFileSync(fileIn(directory), "utf8").slice(0, LENGTH);
    const [, lease, born] = /^(\d+) (\d+) *\n$/.exec(text) ?? [];
    return lease === undefined || born === undefined ? null : { lease: Number(lease), born };
  } catch {
    return null;
  }
};
