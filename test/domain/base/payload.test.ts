import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  canonical,
  deserialise,
  fits,
  flawOf,
  isObject,
  listField,
  MAX_DEPTH,
  MAX_PAYLOAD,
  type Payload,
  serialise,
  textField,
} from "../../../src/domain/base/payload.ts";
import { cases } from "../../support/random.ts";

const nested = (levels: number): unknown => (levels === 0 ? 1 : { in: nested(levels - 1) });

test("A text field is its text, or null if it is absent, empty or something else", () => {
  expect(textField({ title: "Buy milk" }, "title")).toBe("Buy milk");
  for (const title of [undefined, null, "", 7, true, [], {}, ["Buy milk"]])
    expect(textField({ title }, "title")).toBeNull();
  expect(textField({}, "title")).toBeNull();
});

test("A list field is its items, or empty if it is absent or something else", () => {
  expect(listField({ pages: [1, null] }, "pages")).toEqual([1, null]);
  for (const pages of [undefined, null, "a", 7, {}, { length: 1 }])
    expect(listField({ pages }, "pages")).toEqual([]);
});

test("An object is neither a list nor null", () => {
  expect([{}, [], null, "a", 7, undefined].map(isObject)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("Depth counts the payload itself, its objects and its lists, and counting never overflows", () => {
  expect(flawOf(nested(MAX_DEPTH), MAX_DEPTH)).toBeNull();
  expect(flawOf(nested(MAX_DEPTH + 1), MAX_DEPTH)).toBe("too deep");
  expect(flawOf({ pages: [{}] }, 3)).toBeNull();
  expect(flawOf({ pages: [{}] }, 2)).toBe("too deep");
  const bottomless: unknown = JSON.parse("[".repeat(200_000) + "]".repeat(200_000));
  expect(flawOf(bottomless, MAX_DEPTH)).toBe("too deep");
});

const flawIn = (json: string) => flawOf(JSON.parse(json), MAX_DEPTH);

test("A number too large for JavaScript is found at any depth", () => {
  expect(flawIn('{"a":[{"b":1e999}]}')).toBe("infinite");
  expect(flawIn('{"a":[{"b":-1e999}]}')).toBe("infinite");
  expect(flawIn('{"__proto__":{"b":[-1e999]}}')).toBe("infinite");
  expect(flawIn('{"a":[{"b":1e308}],"c":"1e999","d":null}')).toBeNull();
});

test.each([
  ["ASCII, exact to the byte", "a", MAX_PAYLOAD - 8],
  ["three bytes per character", "€", Math.floor((MAX_PAYLOAD - 8) / 3)],
  ["four bytes per surrogate pair", "🥛", (MAX_PAYLOAD - 8) / 4],
])("A payload of 1 MiB fits, and one more character does not: %s", (_name, character, count) => {
  expect(fits(serialise({ t: character.repeat(count) }))).toBe(true);
  expect(fits(serialise({ t: character.repeat(count + 1) }))).toBe(false);
});

test.each([
  ["a lone surrogate", String.raw`{"t":"milk \ud83e"}`],
  ["NUL", String.raw`{"t":"a\u0000b"}`],
  ["a field named __proto__", '{"__proto__":{"kind":"trash"},"t":1}'],
  ["a field named constructor", '{"constructor":{"prototype":{}},"toString":1}'],
  ["numbers as fields", '{"1":"a","2":"b","x":"c"}'],
])("Text with %s comes back unchanged", (_name, text) => {
  expect(serialise(deserialise(text))).toBe(text);
  expect(serialise({ ...deserialise(text) })).toBe(text);
});

test("A field named __proto__ is an ordinary field and never a prototype", () => {
  const payload = deserialise('{"__proto__":{"title":"Buy milk"}}');
  expect(textField(payload, "title")).toBeNull();
});

/** The same content with every object's fields in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).toReversed();
  return Object.fromEntries(fields.map(([name, field]) => [name, reversed(field)]));
};

test("Canonical text is equal exactly when the content is equal", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [a, b] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
      expect(canonical(reversed(a))).toBe(canonical(a));
      expect(canonical(JSON.parse(canonical(a)))).toBe(canonical(a));
      expect(canonical(a) === canonical(b)).toBe(Bun.deepEquals(a, b, true));
    }),
    cases(2_000),
  );
});

test("Canonical text sorts the fields of objects and keeps the order of lists", () => {
  const payload: Payload = { b: [{ z: 1, y: 2 }, 3], a: { d: null, c: "x" } };
  expect(canonical(payload)).toBe('{"a":{"c":"x","d":null},"b":[{"y":2,"z":1},3]}');
});
