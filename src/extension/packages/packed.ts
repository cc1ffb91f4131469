import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lazy } from "../../domain/base/lazy.ts";
import { pack, unpackText } from "../../domain/base/packing.ts";
import { buildFiles } from "./build.ts";
import type { ZipFile } from "./zip.ts";

/** Where the compiled binary keeps the files of the extension, relative to the code. */
export const PACKED_FILES = "packed/extension.json.br";

/** A file's name, and its content as Latin-1 text. */
type Packed = readonly [name: string, content: string];

/** Packs the files that both browsers share. The binary has them once, not in a zip for each. */
export const packFiles = (files: readonly ZipFile[]): Uint8Array<ArrayBuffer> => {
  const packed = files.map(({ name, data }): Packed => [
    name,
    Buffer.from(data).toString("latin1"),
  ]);
  return pack(JSON.stringify(packed));
};

/** Returns the files: the packed ones in the compiled binary; from source, those built on first use. */
export const readFiles = lazy(async (): Promise<readonly ZipFile[]> => {
  const file = join(import.meta.dir, PACKED_FILES);
  if (!existsSync(file)) return buildFiles();
  const packed = JSON.parse(unpackText(readFileSync(file))) as readonly Packed[];
  return packed.map(([name, content]) => ({ name, data: Buffer.from(content, "latin1") }));
});
