import { readSync } from "node:fs";

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
