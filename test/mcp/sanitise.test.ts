import { expect, test } from "bun:test";
import fc from "fast-check";
import { sanitise } from "../../src/mcp/results.ts";
import { cases } from "../support/random.ts";
import { growth, LINEAR } from "../support/growth.ts";

/** Every code point for which `holds` is true. */
const codePoints = (holds: (character: string) => boolean): readonly string[] =>
  Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(holds);

const shown = (text: string): string =>
  [...text].map((c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`).join("");

test.each([
  ["reversed text", "invoice\u202Egpj.exe", "invoice\\u{202e}gpj.exe"],
  ["an isolate", "a\u2066b\u2069", "a\\u{2066}b\\u{2069}"],
  ["direction marks", "a\u200E\u200F\u061C", "a\\u{200e}\\u{200f}\\u{61c}"],
  ["words in tag characters", "Hi\u{E0001}\u{E0044}\u{E006F}", "Hi\\u{e0001}\\u{e0044}\\u{e006f}"],
  ["bytes in variation selectors", "😀\u{E0100}\u{E01EF}", "😀\\u{e0100}\\u{e01ef}"],
  ["bytes in the first selectors", "😀\uFE00\uFE0D", "😀\\u{fe00}\\u{fe0d}"],
  ["zero-width spaces", "a\u200Bb\uFEFFc\u2060d", "a\\u{200b}b\\u{feff}c\\u{2060}d"],
  ["a soft hyphen", "ig\u00ADnore", "ig\\u{ad}nore"],
  ["a terminal escape", "\u001B[31mred\u009B0m", "\\u{1b}[31mred\\u{9b}0m"],
  ["a NUL and a DEL", "\0\u007F", "\\u{0}\\u{7f}"],
  ["a line that overwrites another", "safe\revil", "safe\\u{d}evil"],
  ["a line separator", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
  ["half a character", "a\uD83D", "a\\u{d83d}"],
  ["fillers", "\u3164\uFFA0\u115F", "\\u{3164}\\u{ffa0}\\u{115f}"],
  ["invisible operators", "2\u2062x\u2061", "2\\u{2062}x\\u{2061}"],
  ["an annotation anchor", "a\uFFF9b\uFFFAc\uFFFB", "a\\u{fff9}b\\u{fffa}c\\u{fffb}"],
  ["joiners after Latin letters", "a\u200Db\u200C", "a\\u{200d}b\\u{200c}"],
  ["joiners after accents", "e\u0301\u200Dé\u200C", "e\u0301\\u{200d}é\\u{200c}"],
  ["joiners after Chinese", "中\u200D文\u200C", "中\\u{200d}文\\u{200c}"],
  ["joiners in a row", "می\u200C\u200C\u200D", "می\u200C\\u{200c}\\u{200d}"],
  ["a joiner after a hidden character", "\u200B\u200D", "\\u{200b}\\u{200d}"],
  ["joiners at the beginning", "\u200D\u200Ca", "\\u{200d}\\u{200c}a"],
  ["an emoji selector after a letter", "a\uFE0Fß\uFE0E", "a\\u{fe0f}ß\\u{fe0e}"],
  ["an emoji selector twice", "❤\uFE0F\uFE0F", "❤\uFE0F\\u{fe0f}"],
  ["a digit with a selector but no keycap", "1\uFE0F2", "1\\u{fe0f}2"],
])("%s is made visible", (_name, text, seen) => {
  expect(sanitise(text)).toBe(seen);
});

test.each([
  ["plain text", "Plan the trip: 3 < 4 & \"quotes\" \\u{202e} \\ 'x'"],
  ["lines and tabs", "one\ntwo\r\n\tthree\n"],
  ["Greek, Cyrillic, Hebrew, Arabic", "Ελλάδα Москва עברית العربية"],
  ["Chinese, Japanese, Korean, Thai", "中文 日本語 한국어 ภาษาไทย"],
  ["accents, composed and not", "Zürich Zu\u0308rich"],
  ["two-part Persian words", "می\u200Cخواهم کتاب\u200Cها"],
  ["Hindi and Sinhala conjuncts", "क्\u200Dष क्\u200Cष ශ්\u200Dරී"],
  ["Bengali, Malayalam, Kannada", "র\u200D্য ന്\u200D ರ\u200D್ಕ"],
  ["Arabic letters shown alone", "ه\u200D"],
  [
    "families and professions",
    "👨\u200D👩\u200D👧\u200D👦 👩🏽\u200D🚀 🤷🏾\u200D♀\uFE0F ❤\uFE0F\u200D🔥",
  ],
  ["flags", "🇨🇭🇮🇳 🏳\uFE0F\u200D🌈 🏴\u200D☠\uFE0F"],
  ["keycaps", "1\uFE0F\u20E3 #\uFE0F\u20E3 *\uFE0F\u20E3"],
  ["emoji selectors", "❤\uFE0E ☎\uFE0F ©\uFE0F ℹ\uFE0F"],
])("%s stays as it is", (_name, text) => {
  expect(sanitise(text)).toBe(text);
});

/** Unicode's invisible characters whose treatment depends on what comes before them. */
const BY_PLACE = ["\u200C", "\u200D", "\uFE0E", "\uFE0F"];

test("Every character that is ignorable, changes direction or controls is made visible, anywhere in a text", () => {
  const hidden = codePoints(
    (c) => /[\p{DI}\p{Bidi_C}\p{Cc}\p{Zl}\p{Zp}]/u.test(c) && !"\t\n".includes(c),
  );
  expect(hidden.length).toBeGreaterThan(4_000);
  for (const character of hidden.filter((c) => !BY_PLACE.includes(c))) {
    const text = shown(character);
    expect([character, "a", "क", "😀"].map((before) => sanitise(before + character))).toEqual([
      text + text,
      `a${text}`,
      `क${text}`,
      `😀${text}`,
    ]);
  }
  for (const character of BY_PLACE) expect(sanitise(`x${character}`)).toBe(`x${shown(character)}`);
});

// On purpose: these are visible, as signs or as spaces, or only arrange signs (hieroglyphs).
test("Of the format characters, only those that show something are left", () => {
  const left = codePoints((c) => /\p{Cf}/u.test(c) && sanitise(`x${c}`) === `x${c}`);
  const names = left.map((c) => (c.codePointAt(0) ?? 0).toString(16));
  expect(names.join(" ")).toBe(
    "600 601 602 603 604 605 6dd 70f 890 891 8e2 110bd 110cd 13430 13431 13432 13433 13434 13435 " +
      "13436 13437 13438 13439 1343a 1343b 1343c 1343d 1343e 1343f",
  );
  for (const c of ["\u00A0", "\u2003", "\u3000", "\u2800", "\uE000", "\uFFFD"])
    expect(sanitise(c)).toBe(c);
});

/** Texts that mix hidden, joining and plain characters. */
const unit = fc.oneof(
  fc.constantFrom(
    ...BY_PLACE,
    "\r",
    "\n",
    "\u20E3",
    "1",
    "a",
    "é",
    "中",
    "ي",
    "क",
    "्",
    "😀",
    "🏽",
  ),
  fc.constantFrom("\u200B", "\u202E", "\u{E0041}", "\u{E0100}", "\u180B", "\uD83D", "\uDE00", "\0"),
  fc.string({ unit: "binary", maxLength: 2 }),
);
const hostile = fc.array(unit, { maxLength: 40 }).map((units) => units.join(""));

const HIDDEN = /[\p{DI}\p{Bidi_C}\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Where a joiner or a selector could carry something other than a spelling. */
const JOINER = /\u{200c}|\u{200d}|\u{fe0e}|\u{fe0f}/gu;
const ODD =
  /(?:^|[\0-\u{24f}]|\u{200c}|\u{fe0e})(?:\u{200c}|\u{200d}|\u{fe0e})|\u{fe0f}\u{fe0f}|[a-z]\u{fe0f}/u;

test("Nothing hidden is ever left", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const seen = sanitise(text);
      expect(seen.replaceAll(/[\t\n\r]/g, "").replaceAll(JOINER, "")).not.toMatch(HIDDEN);
      expect(seen).not.toMatch(/\r(?!\n)/);
      expect(seen.replaceAll(/[#*\d]\ufe0f\u20e3/g, "")).not.toMatch(ODD);
      expect(seen.isWellFormed()).toBe(true);
    }),
    cases(3_000),
  );
});

/** The text that was escaped. */
const readBack = (text: string): string =>
  text.replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );

test("Sanitising again changes nothing, and what it wrote can be read back", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const seen = sanitise(text);
      expect(sanitise(seen)).toBe(seen);
      expect(readBack(seen)).toBe(text);
    }),
    cases(3_000),
  );
});

test("Texts without such characters stay exactly the same", () => {
  const plain = fc
    .string({ unit: "grapheme", maxLength: 60 })
    .filter((text) => !/[\p{DI}\p{Bidi_C}\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffc]/u.test(text));
  fc.assert(
    fc.property(plain, (text) => expect(sanitise(text)).toBe(text)),
    cases(1_000),
  );
});

test.each(["\u200B", "é\u200D", "\u{E0041}", "1\uFE0F", "\r", "😀\u200D"])(
  "A text full of hidden characters is sanitised in time in proportion: %j",
  (one) => {
    const clean = (count: number) => () => sanitise(one.repeat(count));
    expect(clean(1_000)().length).toBeGreaterThan(1_000);
    expect(growth(1_000, clean)).toBeLessThan(LINEAR);
  },
);
