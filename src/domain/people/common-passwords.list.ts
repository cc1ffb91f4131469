import { dictionary } from "@zxcvbn-ts/language-common";

/** Long enough for a password to be asked for, in characters. */
const SHORTEST = 8;
const MOST = 10_000;

/**
 * The 10,000 commonest passwords of at least 8 characters, in small letters, one per line: 93 kB. The list is zxcvbn-ts's
 * (MIT licence), counted in leaked data.
 */
export const commonPasswords = (): string => {
  const common = new Set(
    dictionary["passwords-common"]
      .map((password) => password.toLowerCase())
      .filter((password) => password.length >= SHORTEST),
  );
  return [...common].slice(0, MOST).toSorted().join("\n");
};
