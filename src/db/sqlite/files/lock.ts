import { UnusableDatabase } from "../../unusable.ts";
import { Database } from "bun:sqlite";
import { chmodSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBusy } from "../faults.ts";
import { writeNote } from "./note.ts";

export type Lock = { release(): void };

/**
 * Locks the data directory for this process, or returns who seems to hold it. The lock is SQLite's own, on an
 * empty file: the kernel releases it however the process ends, including `kill -9`. Refuses a `docket.lock` that is a link.
 */
export const lockDirectory = (directory: string): Lock | { readonly heldBy: string } => {
  const pidFile = join(directory, "docket.pid");
  const lockFile = join(directory, "docket.lock");
  checkPlain(lockFile);
  const database = new Database(lockFile, { create: true });
  try {
    // Whoever can read the file could hold the lock.
    chmodSync(lockFile, 0o600);
    database.run("PRAGMA busy_timeout = 0");
    // Nothing is written to the file: on a full disk a journal could not be created.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return { heldBy: readPid(pidFile) };
  }
  writeNote(pidFile, `${process.pid}\n`);
  // The closure keeps the connection alive: if the Database were garbage-collected, the lock would be
  // released.
  return { release: () => database.close() };
};

/** A link would lead the lock, or the file it makes, out of the directory. */
const checkPlain = (file: string): void => {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new UnusableDatabase(
      `${file} is not a plain file, so Docket does not use it. Nothing was changed. Remove it, then start again.`,
    );
};

const readPid = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
};
