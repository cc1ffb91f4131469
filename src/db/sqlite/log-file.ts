import type { Database } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** In bytes. */
const HEADER = 32;
const FRAME_HEADER = 24;

/**
 * Returns how many pages were written to the log since it was last begun anew, those of the open transaction too. The file
 * does not become shorter then, but each page carries the two salts of the log's header, which are new each time
 * (sqlite.org/fileformat2.html#walformat). Throws if the file cannot be read.
 */
export const pagesInLog = ({ filename }: Database): number => {
  const log = openSync(`${filename}-wal`, "r");
  try {
    const read = (position: number, bytes: number): Buffer => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(log, buffer, 0, bytes, position));
    };
    const header = read(0, HEADER);
    if (header.length < HEADER) return 0;
    const salts = header.subarray(16, 24);
    const frame = FRAME_HEADER + header.readUInt32BE(8);
    const isNew = (page: number): boolean =>
      read(HEADER + page * frame, FRAME_HEADER)
        .subarray(8, 16)
        .equals(salts);
    let [from, to] = [0, Math.floor((fstatSync(log).size - HEADER) / frame)];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      [from, to] = isNew(middle) ? [middle + 1, to] : [from, middle];
    }
    return from;
  } finally {
    closeSync(log);
  }
};
