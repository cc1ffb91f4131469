import { closeSync, openSync, readSync } from "node:fs";

/**
 * Whether SQLite's log lost pages in its middle. SQLite reads a log up to the first page that does not fit,
 * and takes the rest for what a crash left half-written. After damage, it would silently drop every confirmed
 * commit after that page. But each commit is synced before the next one begins, so a crash leaves at most one
 * commit behind such a page. Two in a row prove that the log was whole once (sqlite.org/fileformat2.html,
 * section 4).
 */
export const hasBrokenLog = (file: string): boolean => {
  const descriptor = openLog(file);
  if (descriptor === null) return false;
  try {
    // Another process may restart the log meanwhile, so only a result seen twice counts.
    return isBroken(descriptor) && isBroken(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const openLog = (file: string): number | null => {
  try {
    return openSync(file, "r");
  } catch {
    return null;
  }
};

const isBroken = (descriptor: number): boolean => {
  const header = partReader(descriptor, HEADER)(0);
  if (!header || header.view.getUint32(0) === FOREIGN) return false;
  const sound =
    header.view.getUint32(0) === MAGIC && fits(sumOf(ZERO, header, 0, 24), header, HEADER - 8);
  if (sound) return losesCommits(descriptor, header);
  // The header is synced before anything follows it, so what follows a broken one was whole once.
  const first = partReader(descriptor, PAGE_HEADER)(HEADER);
  return first !== null && saltsOf(first, 8) !== 0n;
};

/** Magic numbers of a log with checksums in this machine's byte order, and in the other one. */
const MAGIC = 0x377f0682;
const FOREIGN = 0x377f0683;

const losesCommits = (descriptor: number, header: Part): boolean => {
  const length = PAGE_HEADER + header.view.getUint32(8);
  const salts = saltsOf(header, 16);
  const read = partReader(descriptor, length);
  let before = storedSum(header, HEADER - 8);
  let whole = true;
  let commits = 0;
  for (let at = HEADER; ; at += length) {
    const page = read(at);
    if (!page) return false;
    const ours = saltsOf(page, 8) === salts;
    const sum = sumOf(sumOf(before, page, 0, 8), page, PAGE_HEADER, length);
    if (!ours || !fits(sum, page, 16)) [whole, commits] = [false, 0];
    if (!whole && ours && page.view.getUint32(4) !== 0) commits += 1;
    if (commits > 1) return true;
    before = storedSum(page, 16);
  }
};

type Sum = readonly [number, number];

const ZERO: Sum = [0, 0];

const storedSum = ({ view }: Part, at: number): Sum => [view.getInt32(at), view.getInt32(at + 4)];

const fits = ([first, second]: Sum, part: Part, at: number): boolean => {
  const [a, b] = storedSum(part, at);
  return first === a && second === b;
};

/**
 * Continues a checksum from byte `start` to byte `end`. Each `| 0` keeps the numbers integers, which is eight
 * times as fast.
 */
const sumOf = (from: Sum, { words }: Part, start: number, end: number): Sum => {
  let [a, b] = [from[0] | 0, from[1] | 0];
  for (let at = start >> 2; at < end >> 2; at += 2) {
    a = (((a + (words[at] ?? 0)) | 0) + b) | 0;
    b = (((b + (words[at + 1] ?? 0)) | 0) + a) | 0;
  }
  return [a, b];
};

// The file of SQLite's log: sqlite.org/fileformat2.html, section 4.

/** Bytes of the file's header, and of the header of each page in it. */
const HEADER = 32;
const PAGE_HEADER = 24;

/** Bytes of the file, also as words in the machine's byte order, which are faster to add up. */
type Part = { readonly view: DataView; readonly words: Int32Array };

/** Reads parts of one length. Each read reuses the same buffer. Returns null at the end of the file. */
const partReader = (descriptor: number, length: number): ((at: number) => Part | null) => {
  const bytes = new Uint8Array(length);
  const part = { view: new DataView(bytes.buffer), words: new Int32Array(bytes.buffer) };
  return (at) => (readSync(descriptor, bytes, 0, length, at) === length ? part : null);
};

/** Two numbers that change whenever the log restarts. Pages with other numbers are left over from before. */
const saltsOf = ({ view }: Part, at: number): bigint => view.getBigUint64(at);
