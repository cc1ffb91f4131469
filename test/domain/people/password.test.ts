import { describe, expect, test } from "bun:test";
import { passwordProblem, startHasher } from "../../../src/domain/people/password.ts";
import { COMMONEST } from "../../support/passwords.ts";
import { refused } from "../../support/refused.ts";
import { computedIn } from "../../support/processor.ts";

// Hashing takes time, even more when all tests run at once.

const SHORT = "The password must have at least 8 characters. A whole sentence is easy to remember.";
const LONG = "The password must be at most 256 bytes long.";
const GUESSABLE = "This password is too easy to guess. Choose another one.";

describe("A new password", () => {
  test.each([
    ["nothing", "", SHORT],
    ["seven characters", "kvQz7!p", SHORT],
    ["257 bytes", `kvQz7!p${"x".repeat(250)}`, LONG],
    ["100 characters of 300 bytes", "猫犬鳥魚".repeat(25), LONG],
    ["one character, repeated", "aaaaaaaaaaaa", GUESSABLE],
    ["three characters in turn", "abcabcabcabc", GUESSABLE],
    ["digits in a row", "12345678", GUESSABLE],
    ["digits in a row, backwards", "987654321", GUESSABLE],
    ["letters in a row", "abcdefgh", GUESSABLE],
    ["a run along the keyboard", "qwertyuiop", GUESSABLE],
    ["a run along a German keyboard", "QWERTZUIOP", GUESSABLE],
    ["a zigzag along the keyboard", "1q2w3e4r", GUESSABLE],
    ["such a run and a letter", "123456789a", GUESSABLE],
    ["a common word", "password", GUESSABLE],
    ["a common word and a year", "Football1999", GUESSABLE],
    ["a common word in capitals and a sign", "PASSWORD!", GUESSABLE],
    ["a common password that is no word", "q1w2e3r4t5", GUESSABLE],
    ["a common password in another letter case", "TrustNo1", GUESSABLE],
    ["a common password and a year", "maverick2024", GUESSABLE],
    ["a common password with spaces around it", "  password  ", GUESSABLE],
    ["a common password, letter by letter", "p a s s w o r d", GUESSABLE],
    ["a common password in wide letters", "ＰＡＳＳＷＯＲＤ", GUESSABLE],
    ["a common password with an accent", "pássword", GUESSABLE],
    ["a common password twice", "PasswordPassword", GUESSABLE],
    ["a short word twice", "guestguest", GUESSABLE],
    ["this program's name", "docket2026", GUESSABLE],
    ["this program's name twice", "docket docket", GUESSABLE],
    ["the e-mail's first part in wide letters", "ａｎｎ．ｌｅｅ2026", GUESSABLE],
    ["the e-mail", "ann.lee@example.org", GUESSABLE],
    ["the e-mail's first part and a year", "Ann.Lee2026", GUESSABLE],
    ["the e-mail's second part in brackets", "(example.org)", GUESSABLE],
  ])("(%s) is refused", (_name, password, problem) => {
    expect(passwordProblem(password, "ann.lee@example.org")).toBe(problem);
  });

  test.each(COMMONEST)("(%s) is refused, because it is among the commonest", (password) => {
    expect(passwordProblem(password, "ann.lee@example.org")).toBe(GUESSABLE);
  });

  test.each([
    ["eight characters", "kvQz7!pm"],
    ["256 bytes", `kvQz7!p${"x".repeat(249)}`],
    ["a sentence that repeats a word", "row row row your boat"],
    ["a sentence", "my cat sleeps on the keyboard"],
    ["surrounding spaces", "  kvQz7!  "],
    ["symbols without letters", "🐈🥛🪟🌙"],
    ["a common word in a longer sentence", "password of the month"],
  ])("(%s) is accepted as it is", (_name, password) => {
    expect(passwordProblem(password, "ann.lee@example.org")).toBeNull();
  });

  test("may contain a short part of the e-mail", () => {
    expect(passwordProblem("annabolena", "ann@ex.org")).toBeNull();
  });
});

describe("A hasher", () => {
  test("uses argon2id with 19 MiB, two passes, one lane, and a new salt each time", async () => {
    const { hash } = startHasher();
    const [first, second] = await Promise.all([hash("correct horse"), hash("correct horse")]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{43}\$[^$]{43}$/);
    expect(second).not.toBe(first);
  });

  test.each([
    ["itself", "correct horse", true],
    ["another letter case", "Correct horse", false],
    ["an extra space", "correct horse ", false],
    ["nothing", "", false],
    ["itself and a NUL", "correct horse\0", false],
    ["100 kB", "x".repeat(100_000), false],
  ])("compares a password with %s", async (_name, typed, fits) => {
    const { hash, verify } = startHasher();
    expect(await verify(typed, await hash("correct horse"))).toBe(fits);
  });

  test("distinguishes passwords that differ after byte 72, or by an accent", async () => {
    const { hash, verify } = startHasher();
    const long = "x".repeat(100);
    expect(await verify(`${long}b`, await hash(`${long}a`))).toBe(false);
    expect(await verify("cafe noir", await hash("caf\u00e9 noir"))).toBe(false);
  });

  describe.each([
    ["an accent", "caf\u00e9 noir"],
    ["Hangul", "\uAC00\uAC01 horse"],
    ["two accents on a letter", "h\u1EC7 th\u1ED1ng"],
  ])("takes a password with %s in any form", (_what, password) => {
    const forms = [password, password.normalize("NFD"), password + password.normalize("NFD")];

    test("for a new hash, which is of the composed form", async () => {
      const { hash, verify } = startHasher();
      for (const form of forms) {
        const made = await hash(form);
        expect(await Bun.password.verify(form.normalize("NFC"), made)).toBe(true);
        for (const typed of [form, form.normalize("NFC"), form.normalize("NFD")])
          expect(await verify(typed, made)).toBe(true);
      }
    });

    test("for an older hash, which is of what was typed then", async () => {
      const { verify } = startHasher();
      for (const form of [password, password.normalize("NFD")]) {
        const older = await Bun.password.hash(form, {
          algorithm: "argon2id",
          memoryCost: 8,
          timeCost: 1,
        });
        for (const typed of [password, password.normalize("NFD")])
          expect(await verify(typed, older)).toBe(true);
        expect(await verify(`${password}!`, older)).toBe(false);
      }
    });
  });

  test("accepts nobody if there is no hash", async () => {
    const { verify } = startHasher();
    for (const typed of ["", "null", "correct horse"])
      expect(await verify(typed, null)).toBe(false);
  });

  test.each([
    ["with one form", "wrong horse", "correct horse"],
    ["with two forms", "wr\u00f6ng horse", "correct horse"],
    ["with two forms, of which the first is right", "h\u00f6rse", "h\u00f6rse"],
  ])(
    "takes as long without a hash as with one, for a password %s",
    async (_forms, typed, right) => {
      const { hash, verify } = startHasher();
      const known = await hash(right);
      await verify("warm up", null);
      const least = { known: Infinity, nobody: Infinity };
      for (let round = 0; round < 9; round++) {
        least.known = Math.min(least.known, await computedIn(() => verify(typed, known)));
        least.nobody = Math.min(least.nobody, await computedIn(() => verify(typed, null)));
      }
      // Skipping one of two comparisons would take half, skipping all next to nothing.
      expect(least.nobody / least.known).toBeWithin(0.67, 1.5);
    },
  );

  test("refuses the 23rd request at once, and accepts more as soon as there is room", async () => {
    const { hash, verify } = startHasher();
    const known = await hash("correct horse");
    const first = Array.from({ length: 22 }, () => verify("correct horse", known));
    expect(await refused(() => verify("correct horse", known))).toEqual({
      reason: "unavailable",
      message: "Too many people are signing in right now. Try again in a few seconds.",
      headers: { "retry-after": "5" },
    });
    expect(await Promise.all(first)).toEqual(first.map(() => true));
    expect(await verify("correct horse", known)).toBe(true);
  });

  test("keeps working after hashes that cannot be read", async () => {
    const { hash, verify } = startHasher();
    const broken = Array.from({ length: 22 }, () => verify("correct horse", "no hash"));
    const ended = await Promise.allSettled(broken);
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => "rejected"));
    const all = Array.from({ length: 22 }, () => hash("correct horse"));
    expect(await Promise.all(all)).toHaveLength(22);
  });
});
