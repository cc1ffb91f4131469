import { readFileSync } from "node:fs";
import { ask, databaseFile } from "./store.ts";

/** Empties the log, so that counting starts at zero. */
export const emptyLog = (directory: string): void => {
  ask(directory, "PRAGMA wal_checkpoint(TRUNCATE)");
};

const HEADER = 32;
const FRAME_HEADER = 24;

/** Bytes of each page in it. */
const pageOf = (log: Buffer): number => FRAME_HEADER + log.readUInt32BE(8);

/** Returns what was written to the log since it last restarted: pages from before have other salts than its header. */
const presentLog = (directory: string): Buffer => {
  const log = readFileSync(`${databaseFile(directory)}-wal`);
  if (log.length === 0) return log;
  const salts = log.subarray(16, 24);
  let end = HEADER;
  while (end + pageOf(log) <= log.length && log.subarray(end + 8, end + 16).equals(salts))
    end += pageOf(log);
  return log.subarray(0, end);
};

/**
 * Counts the commits in SQLite's log: each ends with a frame that holds the database's size
 * (sqlite.org/fileformat2.html, section 4).
 */
export const countCommits = (directory: string): number => {
  const log = presentLog(directory);
  let commits = 0;
  for (let at = HEADER; at < log.length; at += pageOf(log))
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  return commits;
};
