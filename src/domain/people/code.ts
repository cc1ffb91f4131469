import { DAY, MINUTE, SECOND } from "../base/instant.ts";
import type { Random } from "../base/secret.ts";

/** What a one-time code is for. `oauth` codes are handed on by programs, the others by people. */
export type CodePurpose = "invitation" | "oauth" | "pairing" | "setup";

/** How long a code of each purpose is good for, in ms. */
export const CODE_LIFETIME: Readonly<Record<CodePurpose, number>> = {
  setup: 30 * MINUTE,
  invitation: 7 * DAY,
  pairing: 10 * MINUTE,
  oauth: 60 * SECOND,
};

/** Crockford's base 32: no letter of it can be taken for another or for a digit. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUP = 4;
const GROUPS: Readonly<Record<Exclude<CodePurpose, "oauth">, number>> = {
  setup: 6,
  invitation: 6,
  pairing: 4,
};

/**
 * A new code to be read and typed: groups of four with hyphens between, 20 random bits each. 80 bits
 * for a pairing, which lives for minutes; 120 for those that make accounts.
 */
export const mintCode = (purpose: keyof typeof GROUPS, random: Random): string =>
  // 256 is a multiple of 32, so no character is favoured.
  Array.from({ length: GROUPS[purpose] }, () =>
    Array.from(random(GROUP), (byte) => ALPHABET.charAt(byte % 32)).join(""),
  ).join("-");

/** A typed code in the form in which it was minted: case, spaces, hyphens and O, I, L forgiven. */
export const readCode = (typed: string): string =>
  typed
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1")
    .replaceAll(/(.{4})(?=.)/gs, "$1-");
