import { dictionary } from "@zxcvbn-ts/language-common";
import { pack } from "../base/packing.ts";

/** Long enough for a password to be asked for, in characters. */
const SHORTEST = 8;
const MOST = 10_000;

/**
 * The 10,000 commonest passwords of at least 8 characters, in small letters, one per line, packed as base64:
 * 36 kB instead of 93. Runs when the program is built. The list is zxcvbn-ts's (MIT licence), counted in leaked data.
 */
export const packCommonPasswords = (): string => {
  const common = new Set(
    dictionary["passwords-common"]
      .map((password) => password.toLowerCase())
      .filter((password) => password.length >= SHORTEST),
  );
  const lines = [...common].slice(0, MOST).toSorted().join("\n");
  return Buffer.from(pack(lines)).toString("base64");
};
