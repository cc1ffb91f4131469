import { expect, test } from "bun:test";
import type { FiledChild } from "../../../src/domain/tasks/child.ts";
import { removedOf, withoutRemovals } from "../../../src/domain/sync/seen/removal.ts";
import { growth, LINEAR } from "../../support/growth.ts";

const tab = (url: string, id?: string) => (id === undefined ? { url } : { id, url });
const filed = (id: string, at: number): FiledChild => ({
  list: "pages",
  id,
  key: "bot",
  createdAt: "",
  at,
});

/** A removed tab with the URL `x` and the id `x`. */
const X = removedOf("pages", tab("x", "x"));

test("A removed tab is recognised by its id and its URL, and a note by its text", () => {
  expect(X).toEqual({ list: "pages", id: "x", value: "x" });
  expect(removedOf("pages", "x")).toEqual({ list: "pages", id: null, value: "x" });
  expect(removedOf("notes", { id: "n", text: "oat" })).toEqual({
    list: "notes",
    id: "n",
    value: "oat",
  });
  expect(removedOf("notes", 7)).toEqual({ list: "notes", id: null, value: null });
});

type Case = readonly [
  name: string,
  pushed: readonly unknown[],
  stored: readonly unknown[],
  left: readonly unknown[],
];

const [A, OTHER] = [tab("a", "a"), tab("x", "other")];

test.each<Case>([
  ["its id", [A, tab("x", "x")], [A], [A]],
  ["its id, even under another URL", [A, tab("moved", "x")], [A], [A]],
  ["its URL if the id was dropped", [A, tab("x")], [A], [A]],
  ["its URL if the id was rewritten", [A, tab("x", "new")], [A], [A]],
  ["its URL alone", [A, "x"], [A], [A]],
])("A removed tab in a push is recognised and left out by %s", (_name, pushed, stored, left) => {
  const drops = [X];
  expect(withoutRemovals(pushed, drops, { list: "pages", before: stored, filed: [] })).toEqual([
    ...left,
  ]);
});

test.each<Case>([
  ["under its own id", [OTHER, tab("x", "x")], [OTHER], [OTHER]],
  ["under its own id, alone", [OTHER], [OTHER], [OTHER]],
  ["with no id", [tab("x"), tab("x")], [tab("x")], [tab("x")]],
  ["with no id, alone", [tab("x")], [tab("x")], [tab("x")]],
  ["whose id was dropped since", [tab("x"), tab("x")], [OTHER], [tab("x")]],
  ["that occurs twice", [tab("x"), tab("x"), tab("x")], [tab("x"), tab("x")], [tab("x"), tab("x")]],
])("A stored tab with the same URL as a removed one stays: %s", (_name, pushed, stored, left) => {
  const drops = [X];
  expect(withoutRemovals(pushed, drops, { list: "pages", before: stored, filed: [] })).toEqual([
    ...left,
  ]);
});

test("If several tabs with one URL were removed, the same number is left out", () => {
  const drops = ["1", "2"].map((id) => removedOf("pages", tab("x", id)));
  const stored = { list: "pages" as const, before: [tab("x")], filed: [] };
  expect(withoutRemovals([tab("x"), A, tab("x"), tab("x"), tab("x")], drops, stored)).toEqual([
    tab("x"),
    A,
    tab("x"),
  ]);
});

test("An item that is stored again no longer counts as removed, nor does one of the other list", () => {
  const drops = [X];
  const pushed = [tab("x", "x"), A];
  const again = [
    { list: "pages" as const, before: [tab("x", "x")], filed: [] },
    { list: "pages" as const, before: [tab("x")], filed: [filed("x", 0)] },
    { list: "notes" as const, before: [], filed: [] },
  ];
  for (const stored of again) expect(withoutRemovals(pushed, drops, stored)).toBe(pushed);
});

test("A push of many tabs after many removals takes time in proportion", () => {
  const grown = growth(800, (count: number) => {
    const pushed = Array.from({ length: count }, (_, at) => tab(`u${at}`));
    const drops = pushed.slice(0, count / 8).map((item) => removedOf("pages", item));
    const before = pushed.slice(count / 8);
    const left = () => withoutRemovals(pushed, drops, { list: "pages", before, filed: [] });
    expect(left()).toEqual(before);
    return left;
  });
  expect(grown).toBeLessThan(LINEAR);
});
