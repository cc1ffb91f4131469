import type { BunFile } from "bun";

/** Writes lines to a standard stream. */
export type Lines = {
  /** Resolves once the reader has taken the line, or is gone. */
  readonly write: (line: string) => Promise<void>;
  /** Writes the beginning of a line. */
  readonly begin: (text: string) => Promise<void>;
  /** Resolves once the reader has taken everything. A pipe holds 64 KiB; the rest would be lost when the process ends. */
  readonly end: () => Promise<void>;
};

/**
 * The reader may stop reading (`docket serve | head -1`): the server keeps running. This does not use Node's
 * streams, which would add 4 ms to every start.
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

/** Ignores failures: there is nobody left to report them to. */
const quietly = async (work: () => unknown): Promise<void> => {
  try {
    await work();
  } catch {}
};
