import { describe, expect, test } from "bun:test";
import { comparable, withoutTracking } from "../../../src/domain/tasks/address.ts";

describe("Two addresses of the same page are equal", () => {
  const SAME: readonly (readonly [string, string])[] = [
    ["https://example.org/a?utm_source=mail&id=7&utm_medium=x", "https://example.org/a?id=7"],
    ["https://example.org/a?fbclid=1", "https://example.org/a"],
    ["https://example.org/a#part", "https://example.org/a"],
    ["https://example.org", "https://example.org/"],
    ["https://EXAMPLE.org:443/a", "https://example.org/a"],
  ];
  for (const [one, other] of SAME)
    test(`${one} and ${other}`, () => expect(comparable(one)).toBe(comparable(other)));

  const OTHER: readonly (readonly [string, string])[] = [
    ["https://example.org/a?id=7", "https://example.org/a?id=8"],
    ["https://example.org/#/inbox", "https://example.org/#/sent"],
    ["https://example.org/#!a", "https://example.org/#!b"],
    ["https://example.org/a", "https://example.org/b"],
  ];
  for (const [one, other] of OTHER)
    test(`but not ${one} and ${other}`, () => expect(comparable(one)).not.toBe(comparable(other)));

  test("and what is not tracking keeps its spelling", () => {
    expect(comparable("https://example.org/?q=a%20b+c")).toBe("https://example.org/?q=a%20b+c");
  });
});

describe("A tab may be closed for the address of another that is saved", () => {
  test("if the two differ in tracking alone", () => {
    expect(withoutTracking("https://EXAMPLE.org/a?fbclid=1&id=7#part")).toBe(
      "https://example.org/a?id=7#part",
    );
  });

  const OTHER: readonly (readonly [string, string])[] = [
    ["https://mail.google.com/mail/u/0/#inbox/A", "https://mail.google.com/mail/u/0/#inbox/B"],
    ["https://web.telegram.org/a/#@ann", "https://web.telegram.org/a/#@bob"],
    ["https://example.org/a#part", "https://example.org/a"],
  ];
  for (const [one, other] of OTHER)
    test(`but not ${one} for ${other}`, () => {
      expect(withoutTracking(one)).not.toBe(withoutTracking(other));
    });
});
