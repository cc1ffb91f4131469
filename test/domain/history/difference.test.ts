import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  applyDifference,
  type Difference,
  difference,
} from "../../../src/domain/history/version.ts";
import { canonical, type Payload, sameJson } from "../../../src/domain/base/payload.ts";
import { cases } from "../../support/random.ts";
import { growth, LINEAR } from "../../support/growth.ts";

const NAMES = ["a", "pages", "__proto__", "constructor", "0", "length"];

/** Small values with few names, so that equal and odd ones are common. */
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, 0, -1, "", "a", true, "half \uD83E"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 3 }),
  ),
}));

/** An object that `Bun.deepEquals` finds equal to many others. */
const PROTO: unknown = JSON.parse('{"__proto__":{}}');

/** The value as it comes out of a request's body, or of the database. */
const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const payloads = fc
  .dictionary(fc.constantFrom(...NAMES), values, { maxKeys: 5 })
  .map((payload): Payload => throughJson(payload));

test("Applying the difference between two payloads to one gives the other, whatever both hold", () => {
  fc.assert(
    fc.property(payloads, payloads, (from, to) => {
      const found = difference(from, to);
      expect(found === null).toBe(canonical(from) === canonical(to));
      const other = applyDifference(from, throughJson(found ?? {}));
      expect(canonical(other)).toBe(canonical(to));
    }),
    {
      ...cases(5_000),
      examples: [
        [{ a: PROTO }, { a: { b: 1 } }],
        [{ pages: [PROTO] }, { pages: [{ b: 1 }] }],
      ],
    },
  );
});

test("Two values are the same if their canonical texts are", () => {
  const value = values.map(throughJson);
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(sameJson(one, other)).toBe(canonical(one) === canonical(other));
      expect(sameJson(one, throughJson(one))).toBe(true);
    }),
    cases(5_000),
  );
  expect(sameJson(PROTO, {})).toBe(false);
  expect(sameJson(JSON.parse("-0"), 0)).toBe(true);
});

const [A, B, C] = [{ url: "a" }, { url: "b" }, { url: "c" }];

test.each<[string, Payload, Payload, Difference | null]>([
  ["nothing", { title: "x", pages: [A] }, { pages: [{ url: "a" }], title: "x" }, null],
  [
    "a field",
    { title: "x", status: "todo" },
    { title: "y", status: "todo" },
    { set: { title: "y" } },
  ],
  ["one more field", {}, { colour: null }, { set: { colour: null } }],
  ["one field less", { colour: null }, {}, { unset: ["colour"] }],
  ["one more tab", { pages: [A, B] }, { pages: [A, B, C] }, splice(2, 0, [C])],
  ["one tab less", { pages: [A, B, C] }, { pages: [A, C] }, splice(1, 1, [])],
  ["a tab changed", { pages: [A, B, C] }, { pages: [A, A, C] }, splice(1, 1, [A])],
  ["one of two equal tabs less", { pages: [A, A] }, { pages: [A] }, splice(1, 1, [])],
  ["all tabs removed", { pages: [A, B] }, { pages: [] }, splice(0, 2, [])],
  ["tabs that become text", { pages: [A] }, { pages: "none" }, { set: { pages: "none" } }],
])("The difference holds no more than what differs: %s", (_name, from, to, expected) => {
  expect(difference(from, to)).toEqual(expected);
});

function splice(at: number, remove: number, items: readonly unknown[]): Difference {
  return { splice: { pages: { at, remove, items } } };
}

test("Removing all of a payload's many fields takes time in proportion", () => {
  const grown = growth(2_000, (count: number) => {
    const from = Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));
    const found = difference(from, {});
    const removed = () => applyDifference(from, found ?? {});
    expect(removed()).toEqual({});
    return removed;
  });
  expect(grown).toBeLessThan(LINEAR);
});
