import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackText } from "../base/packing.ts";

/** Where the executable keeps the list, relative to the code: 27 kB, a third of what it takes within the code. */
export const PACKED_PASSWORDS = "packed/passwords.txt.br";

/** Whether a password, in small letters, is one of the commonest, with at most `most` characters after it. */
export const beginsCommonly = (plain: string, most: number): boolean => {
  unpacked ??= `\n${readList()}\n`;
  const lines = unpacked;
  return Array.from({ length: most + 1 }, (_, cut) => plain.slice(0, plain.length - cut)).some(
    (start) => start !== "" && lines.includes(`\n${start}\n`),
  );
};

/** The packed list in the executable; from source, made anew. */
const readList = (): string => {
  const packed = join(import.meta.dir, PACKED_PASSWORDS);
  if (existsSync(packed)) return unpackText(readFileSync(packed));
  const list = import.meta.require(join(import.meta.dir, "common-passwords.list.ts")) as {
    readonly commonPasswords: () => string;
  };
  return list.commonPasswords();
};

/** Kept once needed, 93 kB: most runs of the program never ask. */
let unpacked: string | null = null;
