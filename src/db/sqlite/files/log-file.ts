import type { Database } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

// The file of SQLite's log: sqlite.org/fileformat2.html, section 4.

/** Bytes of the file's header, and of the header of each page in it. */
export const HEADER = 32;
export const PAGE_HEADER = 24;

/** Bytes of the file, also as words in the machine's byte order, which are faster to add up. */
export type Part = { readonly view: DataView; readonly words: Int32Array };

/** Reads parts of one length. Each read reuses the same buffer. Returns null at the end of the file. */
export const partReader = (descriptor: number, length: number): ((at: number) => Part | null) => {
  const bytes = new Uint8Array(length);
  const part = { view: new DataView(bytes.buffer), words: new Int32Array(bytes.buffer) };
  return (at) => (readSync(descriptor, bytes, 0, length, at) === length ? part : null);
};

/** Two numbers that change whenever the log restarts. Pages with other numbers are left over from before. */
export const saltsOf = ({ view }: Part, at: number): bigint => view.getBigUint64(at);

/**
 * Returns how many pages were written to a database's log since it last restarted, those of the open transaction too. The
 * file does not become shorter when it restarts. Throws if it cannot be read.
 */
export const pagesInLog = ({ filename }: Database): number => {
  const log = openSync(`${filename}-wal`, "r");
  try {
    const header = partReader(log, HEADER)(0);
    if (!header) return 0;
    const length = PAGE_HEADER + header.view.getUint32(8);
    const salts = saltsOf(header, 16);
    const read = partReader(log, PAGE_HEADER);
    const isOurs = (page: number): boolean => {
      const found = read(HEADER + page * length);
      const its = found && saltsOf(found, 8);
      // If a page that is in the log has changed again, those after it get no numbers before COMMIT.
      return its === salts || its === 0n;
    };
    let [from, to] = [0, Math.floor((fstatSync(log).size - HEADER) / length)];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      [from, to] = isOurs(middle) ? [middle + 1, to] : [from, middle];
    }
    return from;
  } finally {
    closeSync(log);
  }
};
