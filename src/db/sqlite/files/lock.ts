import { Database } from "bun:sqlite";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBusy } from "../faults.ts";

export type Lock = { release(): void };

/**
 * Takes the data directory for this process alone, or returns who seems to have it. The lock is
 * SQLite's own on an empty file: the kernel frees it however the process ends, `kill -9` included.
 */
export const lockDirectory = (directory: string): Lock | { readonly heldBy: string } => {
  const pidFile = join(directory, "docket.pid");
  const database = new Database(join(directory, "docket.lock"), { create: true });
  try {
    database.run("PRAGMA busy_timeout = 0");
    // Nothing is written into it, and on a full disk nothing could be.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return { heldBy: readPid(pidFile) };
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  // The closure keeps the connection alive: a collected Database would free the lock.
  return { release: () => database.close() };
};

const readPid = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
};
