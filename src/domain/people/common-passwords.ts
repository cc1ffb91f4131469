import { unpackText } from "../base/packing.ts";
import { packCommonPasswords } from "./common-passwords.macro.ts" with { type: "macro" };

const PACKED = packCommonPasswords();

/** Whether a password, in small letters, is one of the commonest, with at most `most` characters after it. */
export const beginsCommonly = (plain: string, most: number): boolean => {
  unpacked ??= `\n${unpackText(Buffer.from(PACKED, "base64"))}\n`;
  const lines = unpacked;
  return Array.from({ length: most + 1 }, (_, cut) => plain.slice(0, plain.length - cut)).some(
    (start) => start !== "" && lines.includes(`\n${start}\n`),
  );
};

/** Kept once needed, 93 kB: most runs of the program never ask. */
let unpacked: string | null = null;
