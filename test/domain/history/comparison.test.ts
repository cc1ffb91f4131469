import { describe, expect, test } from "bun:test";
import { compare, isSame } from "../../../src/domain/history/comparison.ts";
import type { Payload } from "../../../src/domain/base/payload.ts";
import { growth, LINEAR } from "../../support/growth.ts";

const live = (payload: Payload) => ({ payload, deletedAt: null });
const gone = (payload: Payload) => ({ payload, deletedAt: "2026-03-04T12:00:00.000Z" });

const SAME = { life: null, fields: [], children: [], counted: [], reordered: [], others: [] };

/** A change of a tab or note: its values, with its title in front if it has one. */
const childrenOf = (before: Payload, after: Payload): unknown[] =>
  compare(live(before), live(after)).children.map(({ list, from, to }) => [list, from, to]);

const tab = (id: string, url: string, title = url, more: Payload = {}) => ({
  id,
  url,
  title,
  ...more,
});

const many = (prefix: string, length: number) =>
  Array.from({ length }, (_, at) => `${prefix}${at % 3}`);

describe("the known fields", () => {
  test("are listed with their values before and after, and only those that differ", () => {
    const before = live({ title: "Trip", status: "todo", colour: "red", project_id: "f" });
    const after = live({ title: "Journey", status: "todo", project_id: "g", bucket_id: "b" });
    expect(compare(before, after)).toEqual({
      ...SAME,
      fields: [
        { field: "title", from: "Trip", to: "Journey" },
        { field: "colour", from: "red", to: null },
        { field: "project_id", from: "f", to: "g" },
        { field: "bucket_id", from: null, to: "b" },
      ],
    });
  });

  test("may hold anything: null and absent are the same, other types are written out", () => {
    const { fields } = compare(
      live({ title: null, status: ["a"], colour: "" }),
      live({ status: 7, colour: null }),
    );
    expect(fields).toEqual([
      { field: "status", from: '["a"]', to: "7" },
      { field: "colour", from: "", to: null },
    ]);
  });
});

describe("tabs and notes", () => {
  test.each<[string, Payload, Payload, unknown[]]>([
    [
      "added",
      { pages: [tab("1", "a")] },
      { pages: [tab("1", "a"), tab("2", "b", "B")] },
      [["pages", null, { title: "B", value: "b" }]],
    ],
    [
      "removed",
      { notes: [{ id: "1", text: "x" }, "y"] },
      { notes: ["y"] },
      [["notes", { title: null, value: "x" }, null]],
    ],
    [
      "changed, by their id",
      { pages: [tab("1", "a", "A"), tab("2", "b", "B")] },
      { pages: [tab("1", "c", "C"), tab("2", "b", "B")] },
      [["pages", { title: "A", value: "a" }, { title: "C", value: "c" }]],
    ],
    [
      "changed, by their url where the extension dropped the id",
      { pages: [tab("1", "a", "A"), tab("2", "b", "B")] },
      { pages: [{ url: "a", title: "New" }, tab("2", "b", "B")] },
      [["pages", { title: "A", value: "a" }, { title: "New", value: "a" }]],
    ],
    [
      "with the same text, one for one",
      { notes: ["x", "x", "x"] },
      { notes: ["x"] },
      [
        ["notes", { title: null, value: "x" }, null],
        ["notes", { title: null, value: "x" }, null],
      ],
    ],
    [
      "in a list that did not exist",
      {},
      { notes: ["x"], pages: null },
      [["notes", null, { title: null, value: "x" }]],
    ],
    [
      "that are neither tabs nor notes, which are ignored",
      { pages: [1, null] },
      { pages: [2] },
      [],
    ],
  ])("%s", (_name, before, after, expected) => {
    expect(childrenOf(before, after)).toEqual(expected);
  });

  test("in another order are reported as reordered, not as new", () => {
    const [a, b, c] = [tab("1", "a"), tab("2", "b"), tab("3", "c")];
    const moved = compare(live({ pages: [a, b, c] }), live({ pages: [c, a, b] }));
    expect(moved).toEqual({ ...SAME, reordered: ["pages"] });
    const fewer = compare(live({ pages: [a, b, c] }), live({ pages: [a, c] }));
    expect([fewer.reordered, fewer.children.length]).toEqual([[], 1]);
  });

  test("are compared one for one, in time in proportion to how many there are", () => {
    const grown = growth(150, (count: number) => {
      const [a, b] = [many("a", count), many("b", count)];
      const compared = () => [
        compare(live({ pages: a }), live({ pages: b })).children.length,
        compare(live({ notes: a }), live({ notes: ["b", ...a] })).children.length,
      ];
      expect(compared()).toEqual([2 * count, 1]);
      return compared;
    });
    expect(grown).toBeLessThan(LINEAR);
  });
});

describe("fields of the extension's own", () => {
  test("are named if they differ", () => {
    const before = live({ window: { a: 1 }, pin: true, same: [1], notes: { own: "form" } });
    const after = live({ window: { a: 2 }, same: [1], extra: null, more: 1, notes: [] });
    expect(compare(before, after)).toEqual({
      ...SAME,
      others: ["window", "pin", "notes", "more"],
    });
  });

  test("may have any name", () => {
    const odd = live({ ["__proto__"]: {}, constructor: 1 });
    expect(compare(odd, live({})).others).toEqual(["__proto__", "constructor"]);
  });

  test("are named within tabs, once for all of them", () => {
    const { others, children } = compare(
      live({ pages: [tab("1", "a", "a", { icon: 1 }), tab("2", "b", "b", { icon: 1 })] }),
      live({ pages: [tab("1", "a", "a", { icon: 2 }), tab("2", "b", "b", { icon: 3, pin: 1 })] }),
    );
    expect([others, children]).toEqual([["tab: icon", "tab: pin"], []]);
  });
});

describe("a task that is deleted", () => {
  const payload = { title: "Trip", pages: ["a"] };

  test("is reported as deleted, without listing what went with it", () => {
    expect(compare(live(payload), gone({}))).toEqual({ ...SAME, life: "deleted" });
  });

  test("is reported with what the same change edited", () => {
    const edited = gone({ title: "Journey", pages: ["a", "b"], window: 1 });
    const changes = {
      fields: [{ field: "title", from: "Trip", to: "Journey" }],
      children: [{ list: "pages", from: null, to: { title: null, value: "b" } }],
    } as const;
    expect(compare(live(payload), edited)).toEqual({ ...SAME, ...changes, life: "deleted" });
    expect(compare(gone(payload), edited)).toEqual({ ...SAME, ...changes });
  });

  test("comes back with everything it holds then", () => {
    expect(compare(gone(payload), live(payload))).toEqual({
      ...SAME,
      life: "back",
      fields: [{ field: "title", from: null, to: "Trip" }],
      children: [{ list: "pages", from: null, to: { title: null, value: "a" } }],
    });
  });

  test("and one that did not exist differ only in their content", () => {
    expect(compare(gone(payload), gone({}))).toEqual(SAME);
    expect(compare(null, gone({}))).toEqual(SAME);
    expect(compare(null, live(payload))).toMatchObject({ life: null, fields: [{ to: "Trip" }] });
  });
});

test("A task compared with itself has no differences", () => {
  const payload = { title: "Trip", pages: [tab("1", "a")], window: { a: 1 } };
  expect(isSame(compare(live(payload), live(structuredClone(payload))))).toBe(true);
  expect(isSame(compare(live(payload), live({ ...payload, window: 2 })))).toBe(false);
  expect(isSame(compare(live(payload), gone(payload)))).toBe(false);
});

const tabs = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `https://${from + at}.example/`);

describe("a list of which more than 5,000 items differ", () => {
  test("is counted, not compared", () => {
    const [before, after] = [{ pages: tabs(0, 3_000) }, { pages: tabs(2_990, 2_010) }];
    expect(compare(live(before), live(after))).toEqual({
      ...SAME,
      counted: [{ list: "pages", from: 3_000, to: 2_010 }],
    });
    expect(isSame(compare(live(before), live(after)))).toBe(false);
  });

  test("is compared if it is long, but little of it differs", () => {
    const before = { pages: tabs(0, 20_000) };
    const after = { pages: before.pages.with(10_000, "https://new.example/") };
    expect(compare(live(before), live(after)).counted).toEqual([]);
    expect(compare(live(before), live(after)).children).toHaveLength(2);
  });
});
