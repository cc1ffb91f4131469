import { expect, test } from "bun:test";
import { SECOND } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import {
  base32,
  mintTotpSecret,
  totpAddress,
  totpCode,
  totpStep,
  totpStepOf,
} from "../../../src/domain/people/totp.ts";
import { NOON } from "../../support/server.ts";

/** The secret of the tests in RFC 6238, appendix B. */
const SECRET = Buffer.from("12345678901234567890");

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i s the code is %s, as in RFC 6238", (seconds, code) => {
  expect(totpCode(SECRET, totpStep(seconds * SECOND))).toBe(code);
  expect(totpStepOf(SECRET, code, seconds * SECOND)).toBe(Math.floor(seconds / 30));
});

test("the code before and the one after count, and no other", () => {
  const step = totpStep(NOON);
  const seen = [-2, -1, 0, 1, 2].map((off) =>
    totpStepOf(SECRET, totpCode(SECRET, step + off), NOON),
  );
  expect(seen).toEqual([null, step - 1, step, step + 1, null]);
});

test.each(["", "1", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "𝟙𝟚𝟛𝟜𝟝"])("%p is no code", (typed) => {
  expect(totpStepOf(SECRET, typed, NOON)).toBeNull();
});

test("spaces within a code do not matter", () => {
  const code = totpCode(SECRET, totpStep(NOON));
  expect(totpStepOf(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)}\n`, NOON)).toBe(totpStep(NOON));
});

test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%p is %p in base 32, as in RFC 4648 without its padding", (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written);
});

test("a secret has 160 bits, and its address names the account", () => {
  expect(mintTotpSecret(cryptoRandom)).toHaveLength(20);
  expect(totpAddress(SECRET, "a&b?c@example.org")).toBe(
    "otpauth://totp/Docket:a%26b%3Fc%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Docket",
  );
});
