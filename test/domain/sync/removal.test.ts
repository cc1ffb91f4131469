import { expect, test } from "bun:test";
import type { FiledChild } from "../../../src/domain/tasks/child.ts";
import { removedOf, withoutRemovals } from "../../../src/domain/sync/removal.ts";
import { NOON } from "../../support/server.ts";

const tab = (url: string, id?: string) => (id === undefined ? { url } : { id, url });
const filed = (id: string, at: number): FiledChild => ({
  list: "pages",
  id,
  key: "bot",
  createdAt: "",
  at,
});

/** A tab of url `x` that was taken away; the server knew it as `x`, the extension as `own`. */
const X = removedOf("pages", tab("x", "own"), "x");

const value = (text: string): string => Bun.hash(text).toString(36);

test("what was taken away is known by both of its ids and its url, and a note by its text", () => {
  expect(X).toEqual({ list: "pages", ids: ["x", "own"], value: value("x") });
  expect(removedOf("pages", "x", null)).toEqual({ list: "pages", ids: [], value: value("x") });
  expect(removedOf("notes", { id: "n", text: "oat" }, "n")).toEqual({
    list: "notes",
    ids: ["n"],
    value: value("oat"),
  });
  expect(removedOf("notes", 7, null)).toEqual({ list: "notes", ids: [], value: null });
});

type Case = readonly [
  name: string,
  pushed: readonly unknown[],
  standing: readonly unknown[],
  left: readonly unknown[],
];

const [A, OTHER] = [tab("a", "a"), tab("x", "other")];

test.each<Case>([
  ["its id", [A, tab("x", "x")], [A], [A]],
  ["the extension's id", [tab("x", "own"), A], [A], [A]],
  ["its id though the url is another", [A, tab("moved", "x")], [A], [A]],
  ["its url where the id was dropped", [A, tab("x")], [A], [A]],
  ["its url where the id was rewritten", [A, tab("x", "new")], [A], [A]],
  ["its url alone", [A, "x"], [A], [A]],
])(
  "what a device pushes is without what was taken away: it is known by %s",
  (_name, pushed, standing, left) => {
    const drops = [{ ...X, stamp: NOON }];
    expect(withoutRemovals(pushed, drops, { list: "pages", before: standing, filed: [] })).toEqual([
      ...left,
    ]);
  },
);

test.each<Case>([
  ["under its own id", [OTHER, tab("x", "x")], [OTHER], [OTHER]],
  ["under its own id, alone", [OTHER], [OTHER], [OTHER]],
  ["with no id", [tab("x"), tab("x")], [tab("x")], [tab("x")]],
  ["with no id, alone", [tab("x")], [tab("x")], [tab("x")]],
  ["whose id was dropped since", [tab("x"), tab("x")], [OTHER], [tab("x")]],
  ["that stands twice", [tab("x"), tab("x"), tab("x")], [tab("x"), tab("x")], [tab("x"), tab("x")]],
])("a tab of the same url that stands is left to it: %s", (_name, pushed, standing, left) => {
  const drops = [{ ...X, stamp: NOON }];
  expect(withoutRemovals(pushed, drops, { list: "pages", before: standing, filed: [] })).toEqual([
    ...left,
  ]);
});

test("of several of one url that were taken away, as many go", () => {
  const drops = ["1", "2"].map((id) => ({ ...removedOf("pages", tab("x"), id), stamp: NOON }));
  const standing = { list: "pages" as const, before: [tab("x")], filed: [] };
  expect(withoutRemovals([tab("x"), A, tab("x"), tab("x"), tab("x")], drops, standing)).toEqual([
    tab("x"),
    A,
    tab("x"),
  ]);
});

test("what stands again was not taken away, nor was anything of the other list", () => {
  const drops = [{ ...X, stamp: NOON }];
  const pushed = [tab("x", "x"), A];
  const again = [
    { list: "pages" as const, before: [tab("x", "x")], filed: [] },
    { list: "pages" as const, before: [tab("x")], filed: [filed("x", 0)] },
    { list: "notes" as const, before: [], filed: [] },
  ];
  for (const standing of again) expect(withoutRemovals(pushed, drops, standing)).toBe(pushed);
});

test("a push of twenty thousand tabs after five hundred were taken away is no work", () => {
  const pushed = Array.from({ length: 20_000 }, (_, at) => tab(`u${at}`));
  const drops = pushed
    .slice(0, 500)
    .map((item) => ({ ...removedOf("pages", item, null), stamp: NOON }));
  const start = performance.now();
  const left = withoutRemovals(pushed, drops, {
    list: "pages",
    before: pushed.slice(500),
    filed: [],
  });
  expect(left).toEqual(pushed.slice(500));
  expect(performance.now() - start).toBeLessThan(500);
});
