import { closeSync, openSync, statSync, writeSync } from "node:fs";

/** The bytes that a broken sector leaves. */
const GARBAGE = new Uint8Array(4_096).fill(0xaa);

/** Overwrites one page of a file. Pages count from 0. */
export const overwrite = (file: string, page: number): void => writeAt(file, GARBAGE, page * 4_096);

/** Overwrites all of a file except its first page. */
export const overwriteRest = (file: string): void => {
  for (let page = 1; page < statSync(file).size / 4_096; page += 1) overwrite(file, page);
};

export const writeAt = (file: string, bytes: Uint8Array, at: number): void => {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
};

/** In bytes: the length of a page in SQLite's log with its header, and the position of the n-th page, from 0. */
export const FRAME = 8_192 + 24;
export const frameAt = (index: number): number => 32 + index * FRAME;
