import { Database } from "bun:sqlite";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBusy } from "../faults.ts";

export type Lock = { release(): void };

/**
 * Locks the data directory for this process, or returns who seems to hold it. The lock is SQLite's own, on an
 * empty file: the kernel releases it however the process ends, including `kill -9`.
 */
export const lockDirectory = (directory: string): Lock | { readonly heldBy: string } => {
  const pidFile = join(directory, "docket.pid");
  const database = new Database(join(directory, "docket.lock"), { create: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    // Nothing is written to the file: on a full disk a journal could not be created.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return { heldBy: readPid(pidFile) };
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  // The closure keeps the connection alive: if the Database were garbage-collected, the lock would be
  // released.
  return { release: () => database.close() };
};

const readPid = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
};
