import { DAY, MINUTE, SECOND } from "../base/instant.ts";
import type { Random } from "../base/secret.ts";

/** What a one-time code is for. Programs pass on `oauth` and `client` codes; people type the others. */
export type CodePurpose = "client" | "invitation" | "oauth" | "pairing" | "reset" | "setup";

/** How long a code of each purpose is valid, in ms. */
export const CODE_LIFETIME: Readonly<Record<CodePurpose, number>> = {
  setup: 30 * MINUTE,
  invitation: 7 * DAY,
  pairing: 10 * MINUTE,
  reset: DAY,
  oauth: 60 * SECOND,
  client: 60 * SECOND,
};

/** Crockford's base 32, in which no letter looks like another or like a digit. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUP = 4;
const GROUPS: Readonly<Record<Exclude<CodePurpose, "client" | "oauth"> | "recovery", number>> = {
  setup: 6,
  invitation: 6,
  pairing: 4,
  reset: 6,
  recovery: 6,
};

/**
 * Returns a new code for people to read and type: groups of four characters, 20 random bits each,
 * joined by hyphens. A pairing code, which lives for minutes, has 80 bits; codes that create
 * accounts or reset passwords have 120, and so do recovery codes, which stand in for an authenticator app.
 */
export const mintCode = (purpose: keyof typeof GROUPS, random: Random): string =>
  // 256 is a multiple of 32, so no character is more likely than another.
  Array.from({ length: GROUPS[purpose] }, () =>
    Array.from(random(GROUP), (byte) => ALPHABET.charAt(byte % 32)).join(""),
  ).join("-");

/**
 * Returns a typed code in the form in which it was minted. Case, spaces and hyphens do not matter,
 * and O, I and L count as 0 and 1.
 */
export const readCode = (typed: string): string =>
  typed
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1")
    .replaceAll(/(.{4})(?=.)/gs, "$1-");
