import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mergeText } from "../../src/client/merge-text.ts";
import { cases } from "../support/random.ts";

describe("Two people change one text. In a title", () => {
  test.each([
    ["what only I changed is mine", "Trip", "Trip to Lisbon", "Trip", "Trip to Lisbon"],
    ["what only they changed is theirs", "Trip", "Trip", "Big trip", "Big trip"],
    ["the same change is made once", "Trip", "Journey", "Journey", "Journey"],
    [
      "changes of different words both stay",
      "Plan trip",
      "Plan our trip",
      "Plan trip to Lisbon",
      "Plan our trip to Lisbon",
    ],
    [
      "one writes before, the other behind",
      "Trip",
      "Big Trip",
      "Trip to Lisbon",
      "Big Trip to Lisbon",
    ],
    ["both write at the end: both stay", "Trip", "Trip AAA", "Trip BBB", "Trip BBB AAA"],
    ["both write at the end, without a blank", "Trip ", "Trip AAA", "Trip BBB", "Trip BBB AAA"],
    ["both write into an empty one", "", "AAA", "BBB", "BBB AAA"],
    ["one goes on with what both wrote", "Trip", "Trip AAA", "Trip AAA BBB", "Trip AAA BBB"],
    [
      "one takes away what the other changed",
      "Plan the trip",
      "Plan a trip",
      "Plan trip",
      "Plan a trip",
    ],
    [
      "words without blanks between them",
      "会議の資料",
      "会議の新資料",
      "会議の資料を送る",
      "会議の新資料を送る",
    ],
    ["an emoji of several parts is one word", "👩‍👩‍👧 home", "👩‍👩‍👧 at home", "👩‍👩‍👧‍👦 home", "👩‍👩‍👧‍👦 at home"],
  ])("%s", (_name, base, mine, theirs, text) => {
    expect(mergeText(base, mine, theirs, "title")).toEqual({ text, lostTheirs: false });
  });

  test("mine stays where both changed the same words, and it is known that theirs is lost", () => {
    expect(mergeText("Call at noon", "Call at one", "Call at two", "title")).toEqual({
      text: "Call at one",
      lostTheirs: true,
    });
  });
});

describe("Two people change one text. In a note", () => {
  test.each([
    [
      "changes of different lines",
      "one\ntwo\nthree",
      "ONE\ntwo\nthree",
      "one\ntwo\nTHREE",
      "ONE\ntwo\nTHREE",
    ],
    ["changes of lines that follow each other", "one\ntwo", "ONE\ntwo", "one\nTWO", "ONE\nTWO"],
    [
      "changes in one line",
      "call Bob at noon",
      "call Al at noon",
      "call Bob at one",
      "call Al at one",
    ],
    ["lines put in at the same place", "a\nz", "a\nmine\nz", "a\ntheirs\nz", "a\ntheirs\nmine\nz"],
    ["lines put in at the end", "a\n", "a\nmine", "a\ntheirs", "a\ntheirs\nmine"],
    ["lines put in at the end of the last line", "a", "a\nmine", "a\ntheirs", "a\ntheirs\nmine"],
    ["a line put in above one that was changed", "a\nb", "a\nnew\nb", "a\nB", "a\nnew\nB"],
    ["a line removed, another one changed", "a\nb\nc", "a\nc", "a\nb\nC", "a\nC"],
    ["a line removed that the other changed", "a\nb\nc", "a\nc", "a\nB\nc", "a\nB\nc"],
    [
      "the same words changed",
      "call at noon",
      "call at one",
      "call at two",
      "call at one\ncall at two",
    ],
    [
      "the same words changed, in the middle",
      "a\nb c\nd",
      "a\nX c\nd",
      "a\nY c\nd",
      "a\nX c\nY c\nd",
    ],
    ["all of it rewritten by both", "one two", "red green", "big small", "red green\nbig small"],
  ])("%s: nothing is lost", (_name, base, mine, theirs, text) => {
    expect(mergeText(base, mine, theirs, "note")).toEqual({ text, lostTheirs: false });
  });

  const text = fc
    .array(fc.constantFrom("a", "b", "c", " ", " ", "\n"), { maxLength: 14 })
    .map((parts) => parts.join(""));

  test("in any texts, nothing that somebody wrote is lost, and one who changed nothing changes nothing", () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const merged = (one: string, other: string) => mergeText(base, one, other, "note").text;
        expect([merged(mine, base), merged(base, theirs)]).toEqual([mine, theirs]);
        expect(merged(mine, mine)).toBe(mine);
        const [my, their] = [`${mine} MINE`, `THEIRS ${theirs}`];
        expect(merged(my, their)).toContain("MINE");
        expect(merged(my, their)).toContain("THEIRS");
      }),
      cases(2_000),
    );
  });
});
