import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CODE_LIFETIME, mintCode, readCode } from "../../../src/domain/people/code.ts";
import { DAY, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { cryptoRandom, type Random } from "../../../src/domain/base/secret.ts";
import { cases, dice } from "../../support/random.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const seeded = (seed: number): Random => {
  const roll = dice(seed);
  return (count) => Uint8Array.from({ length: count }, () => roll(256));
};

test("Each kind of code lives as long as its purpose needs", () => {
  expect(CODE_LIFETIME).toEqual({
    setup: 30 * MINUTE,
    invitation: 7 * DAY,
    pairing: 10 * MINUTE,
    reset: DAY,
    client: 60_000,
    oauth: 60 * SECOND,
  });
});

describe("A minted code", () => {
  test.each([
    ["setup", 6],
    ["invitation", 6],
    ["pairing", 4],
    ["reset", 6],
  ] as const)("for %s is %i groups of four characters, 20 random bits each", (purpose, groups) => {
    const group = `[${CROCKFORD}]{4}`;
    expect(mintCode(purpose, cryptoRandom)).toMatch(
      new RegExp(`^${Array.from({ length: groups }, () => group).join("-")}$`),
    );
  });

  test("uses each of the 32 characters for the same number of random bytes", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      const all: Random = (count) => new Uint8Array(count).fill(byte);
      const character = mintCode("pairing", all).charAt(0);
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries([...CROCKFORD].map((character) => [character, 8])),
    );
  });

  test("is unique among a hundred thousand", () => {
    const codes = new Set<string>();
    for (let i = 0; i < 100_000; i++) codes.add(mintCode("pairing", cryptoRandom));
    expect(codes.size).toBe(100_000);
  });
});

describe("A typed code", () => {
  test.each([
    ["in lower case", "0123-4567-89ab-cdef-ghjk-mnpq"],
    ["without hyphens", "0123456789ABCDEFGHJKMNPQ"],
    ["in other groups", "012345 6789AB CDEFGH JKMNPQ"],
    ["with spaces, tabs and line ends around it", " \t0123-4567-89AB-CDEF-GHJK-MNPQ\r\n"],
    ["with a word processor's hyphens", "0123–4567—89AB‐CDEF‑GHJK-MNPQ"],
    ["with non-breaking spaces", "0123\u00a04567\u202f89AB\u3000CDEF GHJK MNPQ"],
    ["with O for 0", "O123-4567-89AB-CDEF-GHJK-MNPQ"],
    ["with I and l for 1", "0I23-4567-89AB-CDEF-GHJK-MNPQ"],
    ["with l for 1", "0l23-4567-89AB-CDEF-GHJK-MNPQ"],
    ["in full-width characters", "０１２３４５６７８９ＡＢＣＤＥＦＧＨＪＫＭＮＰＱ"],
  ])("%s is read as it was minted", (_name, typed) => {
    expect(readCode(typed)).toBe("0123-4567-89AB-CDEF-GHJK-MNPQ");
  });

  test("is the same in any case and grouping, and different from every other code", () => {
    const typed = fc.record({
      seed: fc.nat(),
      lower: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
      gaps: fc.array(fc.constantFrom("", "", " ", "-", " - "), { minLength: 24, maxLength: 24 }),
    });
    fc.assert(
      fc.property(typed, ({ seed, lower, gaps }) => {
        const code = mintCode("setup", seeded(seed));
        const characters = Array.from(code.replaceAll("-", ""), (character, at) => {
          const other = { "0": "O", "1": "I" }[character] ?? character.toLowerCase();
          return (lower[at] ? other : character) + gaps[at];
        });
        expect(readCode(characters.join(""))).toBe(code);
        expect(readCode(mintCode("setup", seeded(seed + 1)))).not.toBe(code);
      }),
      cases(500),
    );
  });

  test.each([
    ["nothing", "", ""],
    ["spaces", "  ", ""],
    ["a letter that no code contains", "UUUU-0000", "UUUU-0000"],
    ["part of a code", "012", "012"],
    ["one character too many", "0123-4567-8", "0123-4567-8"],
    ["a quotation mark", "0123'--", "0123-'"],
  ])("that is invalid (%s) never becomes valid", (_name, typed, read) => {
    expect(readCode(typed)).toBe(read);
  });

  test("is read at once, however long it is", () => {
    expect(readCode("0".repeat(65_536))).toHaveLength(65_536 + 16_383);
  });
});
