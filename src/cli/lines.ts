import type { BunFile } from "bun";

/** Lines for a standard stream. */
export type Lines = {
  /** Resolves once the line is taken, or whoever read is gone. */
  readonly write: (line: string) => Promise<void>;
  /** The beginning of a line. */
  readonly begin: (text: string) => Promise<void>;
  /** Resolves once all is taken: a pipe holds 64 KiB, and what is beyond that would be lost with the process. */
  readonly end: () => Promise<void>;
};

/**
 * Whoever reads what is printed may go (`docket serve | head -1`): the server stays. Node's streams, which take
 * each start 4 ms, are left alone.
 */
export const linesTo = (file: BunFile): Lines => {
  const sink = file.writer();
  const begin = (text: string): Promise<void> =>
    quietly(() => {
      sink.write(text);
      return sink.flush();
    });
  return { write: (line) => begin(`${line}\n`), begin, end: () => quietly(() => sink.end()) };
};

/** Whatever comes of it: there is nobody to tell. */
const quietly = async (work: () => unknown): Promise<void> => {
  try {
    await work();
  } catch {}
};
