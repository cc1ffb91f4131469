import { expect, test } from "bun:test";
import { byteLength, columnText, isPrintable, isRecordId } from "../../../src/domain/base/text.ts";

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
