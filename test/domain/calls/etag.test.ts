import { expect, test } from "bun:test";
import { entityTag, namesTag } from "../../../src/domain/calls/etag.ts";

const version = { updated: 1_772_625_600_000, payload: '{"title":"Buy milk"}' };

test("A version's entity tag is quoted, and the same every time", () => {
  expect(entityTag(version)).toMatch(/^"[0-9a-z]+"$/);
  expect(entityTag({ ...version })).toBe(entityTag(version));
});

test("Another stamp or another payload gives another tag", () => {
  const tags = [
    version,
    { ...version, updated: version.updated + 1 },
    { ...version, payload: '{"title":"Buy bread"}' },
    { updated: 1, payload: "2 {}" },
    { updated: 12, payload: " {}" },
  ].map(entityTag);
  expect(new Set(tags).size).toBe(tags.length);
});

test.each([
  ["the tag", '"a"', true],
  ["a star", "*", true],
  ["a star with space around it", " * ", true],
  ["a list that contains it", '"b", "a"', true],
  ["a list without spaces", '"b","a","c"', true],
  ["another tag", '"b"', false],
  ["the tag without quotes", "a", false],
  ["the tag in another case", '"A"', false],
  ["a list that lacks it", '"b", "c"', false],
  ["nothing", "", false],
])("Whether %s names the version", (_name, field, names) => {
  expect(namesTag(field, '"a"')).toBe(names);
});
