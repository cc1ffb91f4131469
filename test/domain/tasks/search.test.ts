import { expect, test } from "bun:test";
import { MAX_QUERY, readWords, searchable, searchText } from "../../../src/domain/tasks/search.ts";
import { refused } from "../../support/refused.ts";

test.each([
  ["Plain text stays as it is", 'Read: "The Book", ch04!', 'Read: "The Book", ch04!'],
  ["A URL loses its scheme", "see HTTPS://a.example/x or http://b", "see a.example/x or b"],
  ["A URL is decoded", "a.example/borrow%20checker", "a.example/borrow checker"],
  ["Letters of a URL are decoded", "a.example/caf%C3%A9", "a example cafe"],
  ["Anything that is not an encoding stays", "100%, 5%zz, %ff%fe, %", "100%, 5%zz, %ff%fe, %"],
  ["Case is folded", "STRAßE ΟΔΟΣ Ωδός", "strasse οδοσ ωδοσ"],
  ["Width is folded", "Ｄｏｃｋｅｔ ﾃﾞｰﾀ", "docket  デ  ー  タ "],
  [
    "Invisible characters are removed",
    "exam\u00ADple \u202Eevil\u202C a\u200Db \u{E0041}tag ❤\uFE0F",
    "example evil ab tag  ❤ ",
  ],
  ["An invisible space separates words", "one\u200Btwo é", "one two e"],
  ["Punctuation separates words", "«café» – 5€ … a\0b", " cafe 5 a b"],
  ["Han and kana are split into characters", "東京の空、Bun", " 東  京  の  空  bun"],
  ["Thai is split into characters with their marks", "ที่นี่", " ที่  นี่ "],
  ["Khmer is split into characters with their marks", "ខ្មែរ", " ខ្  មែ  រ "],
  ["Hangul is not split, since it has spaces", "회의를 연다", "회의를 연다"],
  ["Pictures are split", "🚀🚀fast👨‍👩‍👧", " 🚀  🚀 fast 👨  👩  👧 "],
  ["Half of a surrogate pair separates words", "a\uD83Eb é", "a b e"],
])("%s", (_name, text, wanted) => {
  expect(searchable(text)).toBe(wanted);
});

const begun = (text: string) => ({ text, begins: true });
const whole = (text: string) => ({ text, begins: false });

test.each([
  ["Words are split at spaces", "  rust\u3000Book\n", [begun("rust"), begun("Book")]],
  ["Short words match only whole", "go to UI", [whole("go"), whole("to"), whole("UI")]],
  ["Numbers match only whole", "2026 v12 x86", [whole("2026"), begun("v12"), begun("x86")]],
  ["A URL is one word, and matches as a prefix", "https://a.example/doc", [begun("a.example/doc")]],
  ["The last part of a URL decides", "a.example/42", [whole("a.example/42")]],
  ["Two syllables of Hangul match as a prefix", "회의 회", [begun("회의"), whole("회")]],
  ["Split characters match only whole", "東京", [whole("東  京")]],
  ["Punctuation alone is not a word", "rust & - ( * ) book", [begun("rust"), begun("book")]],
  ["Punctuation beside a word stays, without a meaning", '"C++" -x', [whole('"C++"'), whole("-x")]],
  ["A mark alone is not a word", "\u0301 x", [whole("x")]],
])("%s", (_name, query, words) => {
  expect(readWords(query)).toEqual(words);
});

/** 200 different Chinese characters. */
const HAN = String.fromCharCode(...Array.from({ length: 200 }, (_, at) => 0x4e00 + at));

const seventeen = (gap: string): string => Array.from("abcdefghijklmnopq").join(gap);

const many = (most: number, what: string, got: number): string =>
  `q must contain at most ${most} ${what}, but contains ${got}. Search for fewer words or a shorter part of the text. ` +
  "Each part of an address, each emoji, and each character of Chinese, Japanese or Thai counts as a word.";

test.each([
  ["nothing", "", "q must contain at least one word."],
  ["gaps", " \n\u3000", "q must contain at least one word."],
  ["signs", '"" * - ( ) \0 https:// \uD83E', "q must contain at least one word."],
  ["17 words", seventeen(" "), many(16, "different words", 17)],
  ["a URL of 17 parts", `https://${seventeen("/")}`, many(16, "different words", 17)],
  ["17 characters in one phrase", HAN.slice(0, 17), many(16, "different words", 17)],
  [
    "17 characters in many words",
    Array.from(HAN.slice(0, 17)).join(" "),
    many(16, "different words", 17),
  ],
  ["200 characters", HAN, many(16, "different words", 200)],
  ["17 emoji", "😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐", many(16, "different words", 17)],
  ["one character 25 times", "東".repeat(25), many(24, "words in all, repeated ones included", 25)],
  [
    "one character 200 times",
    "東".repeat(200),
    many(24, "words in all, repeated ones included", 200),
  ],
  [
    "25 parts of two words",
    "ab ".repeat(9).trim().replaceAll(" ", "-").concat(" ", "b-a-".repeat(8)),
    many(24, "words in all, repeated ones included", 25),
  ],
  ["too much", "a".repeat(MAX_QUERY + 1), "q must have at most 200 characters, but has 201."],
])("A query of %s is refused", async (_name, query, message) => {
  expect(await refused(() => readWords(query))).toEqual({
    reason: "invalid",
    message,
    headers: {},
  });
});

test("16 words, 16 characters in one phrase and 200 letters are accepted", () => {
  expect(readWords(seventeen(" ").slice(0, -2))).toHaveLength(16);
  expect(readWords(HAN.slice(0, 16))).toHaveLength(1);
  expect(readWords("東".repeat(24))).toHaveLength(1);
  expect(readWords("a".repeat(MAX_QUERY))).toHaveLength(1);
});

test.each([
  ["again", "rust book rust", ["rust", "book"]],
  ["in capitals", "rust RUST", ["RUST"]],
  ["100 times", "a ".repeat(100), ["a"]],
  ["as a character", "東 京 東", ["東", "京"]],
  ["with punctuation", "C++ c", ["c"]],
])("A word that occurs %s is searched for once", (_name, query, texts) => {
  expect(readWords(query).map(({ text }) => text)).toEqual(texts);
});

test("All text of a task is searched, wherever it is", () => {
  const pages = [
    { url: "https://a/", title: "A" },
    "https://b/",
    { title: 5 },
    null,
    { url: 7 },
    [],
  ];
  const notes = [{ text: "soon" }, "later", 9, { text: null }];
  expect(searchText({ title: "T", pages, notes })).toEqual({
    title: "T",
    tabs: "A",
    urls: "https://a/\nhttps://b/",
    notes: "soon\nlater",
  });
  const nothing = { title: "", tabs: "", urls: "", notes: "" };
  expect(searchText({ title: 5, pages: "x", notes: {} })).toEqual(nothing);
});

test("What one task adds is bounded, and a long URL leaves room for others", () => {
  const long = "x".repeat(200_000);
  const { title, urls } = searchText({ title: long, pages: [long, "y"] });
  expect([title.length, urls]).toEqual([100_000, `${long.slice(0, 1_000)}\ny`]);
  expect(searchable("\uFDFA".repeat(100_000))).toHaveLength(200_000);
  expect(searchable(`é${"x".repeat(199_997)}🚀`).isWellFormed()).toBe(true);
});
