import { readFileSync } from "node:fs";
import { ask, databaseFile } from "./_store.ts";

/** Empties the log, so that counting starts at zero. */
export const emptyLog = (directory: string): void => {
  ask(directory, "PRAGMA wal_checkpoint(TRUNCATE)");
};

const HEADER = 32;
const FRAME_HEADER = 24;

/**
 * Counts the commits in SQLite's log: each ends with a frame that holds the database's size
 * (sqlite.org/fileformat2.html, section 4).
 */
export const countCommits = (directory: string): number => {
  const log = readFileSync(`${databaseFile(directory)}-wal`);
  if (log.length === 0) return 0;
  const salt = log.subarray(16, 24);
  const step = FRAME_HEADER + log.readUInt32BE(8);
  let commits = 0;
  for (let at = HEADER; at + step <= log.length; at += step) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
};
