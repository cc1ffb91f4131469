import { expect, test } from "bun:test";
import {
  printableJson,
  byteLength,
  columnText,
  cutText,
  isBlank,
  isPrintable,
  isRecordId,
  rowText,
  shortenedTo,
} from "../../../src/domain/base/text.ts";

test.each([
  ["plain text", "Buy milk", "Buy milk"],
  ["emoji", "🥛", "🥛"],
  ["a lone high surrogate", "milk \uD83E", "milk \uFFFD"],
  ["a lone low surrogate", "\uDD5B milk", "\uFFFD milk"],
  ["surrogates in the wrong order", "\uDD5B\uD83E", "\uFFFD\uFFFD"],
  ["NUL", "a\0b\0", "a\uFFFDb\uFFFD"],
  ["other control characters", "a\tb\nc\x7F", "a\tb\nc\x7F"],
  ["nothing", "", ""],
])("A column stores %s as something that SQLite can hold", (_name, text, column) => {
  expect(columnText(text)).toBe(column);
});

test.each([
  ["a short text", "Buy milk", 8, "Buy milk"],
  ["letters", "Buy milk", 5, "Buy m"],
  ["an emoji", "milk 🥛", 6, "milk "],
  ["a flag", "to 🇵🇹🇪🇸", 9, "to 🇵🇹"],
  ["a long row of flags", "🇵🇹".repeat(300), 502, "🇵🇹".repeat(125)],
  ["a family", "us 👨‍👩‍👧‍👦!", 9, "us "],
  ["a skin colour", "hi 👋🏽", 6, "hi "],
  ["a letter with an accent of its own", "cafe\u0301s", 4, "caf"],
  ["a key cap", "press 1\uFE0F\u20E3", 8, "press "],
  ["a line end", "a\r\nb", 2, "a"],
  ["an emoji far into a long text", `${"word ".repeat(4_000)}👨‍👩‍👧‍👦`, 20_003, "word ".repeat(4_000)],
  [
    "a letter with a thousand accents",
    `e${"\u0301".repeat(1_000)}`,
    500,
    `e${"\u0301".repeat(499)}`,
  ],
  ["an emoji behind a thousand accents", `${"\u0301".repeat(999)}🥛`, 1_000, "\u0301".repeat(999)],
  ["nothing", "", 5, ""],
])("A text is cut between characters: %s", (_name, text, most, cut) => {
  expect(cutText(text, most)).toBe(cut);
});

test("A shortened text ends with an ellipsis, one that fits does not", () => {
  expect(shortenedTo("Buy milk 🥛", 10)).toBe("Buy milk …");
  expect(shortenedTo("Buy milk", 8)).toBe("Buy milk");
});

test("A list row shows whole characters of a long text", () => {
  expect(rowText(`${"x".repeat(999)}🥛`)).toBe("x".repeat(999));
  expect(rowText(`${"x".repeat(999)}\uD83E`)).toBe(`${"x".repeat(999)}\uFFFD`);
});

test.each([
  ["letters and spaces", "in progress", true],
  ["emoji", "🚧 blocked", true],
  ["a line end", "a\nb", false],
  ["a tab", "a\tb", false],
  ["DEL", "a\x7F", false],
  ["a C1 control character", "a\x85b", false],
  ["a line separator", "a\u2028b", false],
  ["a paragraph separator", "a\u2029b", false],
])("Whether %s can be printed on one line", (_name, text, printable) => {
  expect(isPrintable(text)).toBe(printable);
});

test.each([
  ["nothing", ""],
  ["spaces", "   "],
  ["line ends and tabs", "\r\n\t"],
  ["a no-break space", "\u00A0"],
  ["an ideographic space", "\u3000"],
  ["a zero-width space", "\u200B"],
  ["a zero-width joiner", "\u200D"],
  ["a word joiner", "\u2060"],
  ["bidi controls", "\u202E\u2066\u200F"],
  ["a byte order mark", "\uFEFF"],
  ["a soft hyphen", "\u00AD"],
  ["Hangul fillers", "\u115F\u1160\u3164\uFFA0"],
  ["a combining grapheme joiner", "\u034F"],
  ["variation selectors", "\uFE0F\u{E0100}"],
  ["tag characters", "\u{E0041}"],
  ["a blank braille pattern", "\u2800"],
  ["a Mongolian vowel separator", "\u180E"],
  ["line and paragraph separators", "\u2028\u2029"],
  ["NUL and other control characters", "\0\x7F\x9F"],
  ["a mixture of these", " \u200B\u3164\u00A0 "],
])("%s is blank", (_name, text) => {
  expect(isBlank(text)).toBe(true);
});

test.each([
  ["a letter", "a"],
  ["a letter between blanks", "\u200B a \u3164"],
  ["a letter of another script", "한"],
  ["an emoji of several parts", "👩‍💻"],
  ["an emoji with a variation selector", "❤️"],
  ["a full stop", "."],
  ["a combining mark alone", "\u0301"],
  ["a lone surrogate, which shows as U+FFFD", "\uD800"],
])("%s is not blank", (_name, text) => {
  expect(isBlank(text)).toBe(false);
});

test("Lengths are counted in UTF-8 bytes", () => {
  expect(byteLength("aé€🥛")).toBe(1 + 2 + 3 + 4);
});

test.each([
  ["one character", "x"],
  ["255 characters", "x".repeat(255)],
  ["a UUID", "0195f1c2-7f3e-7abc-8def-0123456789ab"],
  ["spaces, slashes and percent signs", "a b/c%2F?#"],
  ["three dots", "..."],
  ["emoji", "🥛"],
  ["a name built into JavaScript", "__proto__"],
  ["U+FFFD itself", "\uFFFD"],
])("%s can be a record's id", (_name, id) => {
  expect(isRecordId(id)).toBe(true);
});

test.each([
  ["nothing", ""],
  ["256 characters", "x".repeat(256)],
  ["a dot", "."],
  ["two dots", ".."],
  ["a line end", "a\nb"],
  ["NUL", "a\0"],
  ["DEL", "\x7F"],
  ["a C1 control character", "\x9F"],
  ["a lone surrogate", "a\uD800"],
  ["a number", 7],
  ["null", null],
  ["undefined", undefined],
  ["an object", { id: "x" }],
])("%s cannot be a record's id", (_name, id) => {
  expect(isRecordId(id)).toBe(false);
});

test("printable JSON holds nothing that controls a terminal or begins a line, and means the same", () => {
  const value = {
    name: "a\u2028b\u2029c\u202Ed\u0085e\u200Ff\u{E0001}g\u001B[2J",
    more: [1, null],
  };
  const text = printableJson(value);
  expect(text).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(text)).toEqual(value);
});
