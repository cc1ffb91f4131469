import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

/** Compresses what the executable contains. Of these data, Brotli leaves 6 % less than zstd at its highest level. */
export const pack = (data: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(brotliCompressSync(data));

export const unpack = (packed: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(brotliDecompressSync(packed));

/** The same as UTF-8 text. */
export const unpackText = (packed: Uint8Array): string => brotliDecompressSync(packed).toString();

/**
 * Loads a library on first use: in the executable, from the packed file `packed`, relative to the code; from source, the
 * module `source` in `folder`. What few servers need takes up less so, and with its bytecode it would be several times as
 * large.
 */
export const loadLibrary = async <T>(
  folder: string,
  packed: string,
  source: string,
): Promise<T> => {
  const file = join(folder, packed);
  if (!existsSync(file)) return (await import(join(folder, source))) as T;
  const script = new Blob([unpack(readFileSync(file))], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  try {
    return (await import(address)) as T;
  } finally {
    URL.revokeObjectURL(address);
  }
};
