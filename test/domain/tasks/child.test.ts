import { expect, test } from "bun:test";
import {
  type FiledChild,
  authorship,
  childId,
  type ChildList,
  childValue,
  recogniseChildren,
} from "../../../src/domain/tasks/child.ts";

const FILED = "2026-03-04T12:00:00.000Z";
const child = (id: string, at: number | null, list: ChildList = "pages"): FiledChild => ({
  list,
  id,
  key: "bot",
  createdAt: FILED,
  at,
});
const tab = (url: string, id?: string) => (id === undefined ? { url } : { id, url });

/** The index at which each of the key's tabs is found in the pushed list. */
const places = (
  children: readonly FiledChild[],
  before: readonly unknown[],
  after: readonly unknown[],
) => recogniseChildren(children, "pages", before, after).map(({ at }) => at);

const [X, Y] = [child("x", 0), child("y", 1)];

test.each([
  ["at its index", [tab("a", "x"), tab("b", "y")], [0, 1]],
  ["moved", [tab("b", "y"), tab("c"), tab("a", "x")], [2, 0]],
  ["under another URL", [tab("z", "x"), tab("y", "y")], [0, 1]],
  ["under the other one's URL", [tab("b", "x"), tab("a", "y")], [0, 1]],
  ["gone", [tab("b", "y")], [null, 0]],
  ["both removed", [], [null, null]],
  ["twice", [tab("a", "x"), tab("a", "x"), tab("b", "y")], [0, 2]],
])("A tab is recognised by its id: %s", (_name, after, expected) => {
  expect(places([X, Y], [tab("a", "x"), tab("b", "y")], after)).toEqual(expected);
});

test.each([
  ["ids dropped", [tab("a"), tab("b")], [0, 1]],
  ["ids dropped and moved", [tab("b"), tab("c"), tab("a")], [2, 0]],
  ["ids rewritten", [tab("a", "1"), tab("b", "2")], [0, 1]],
  ["ids set to empty text", [tab("a", ""), tab("b", "")], [0, 1]],
  [
    "ids set to numbers",
    [
      { id: 1, url: "a" },
      { id: 2, url: "b" },
    ],
    [0, 1],
  ],
  ["tabs turned into plain URLs", ["b", "a"], [1, 0]],
  ["one id dropped, one kept", [tab("b", "y"), tab("a")], [1, 0]],
  ["one removed, one without id", [tab("b")], [null, 0]],
  ["ids dropped and URLs changed", [tab("A"), tab("B")], [null, null]],
])("A tab whose id did not come back is recognised by its URL: %s", (_name, after, expected) => {
  expect(places([X, Y], [tab("a", "x"), tab("b", "y")], after)).toEqual(expected);
});

test("A note is recognised by its id, or without one by its text", () => {
  const [one, two] = [child("n1", 0, "notes"), child("n2", 1, "notes")];
  const before = [
    { id: "n1", text: "oat milk" },
    { id: "n2", text: "two litres" },
  ];
  const found = (after: readonly unknown[]) =>
    recogniseChildren([one, two], "notes", before, after).map(({ at }) => at);
  expect(found([{ id: "n2", text: "three litres" }, { text: "oat milk" }])).toEqual([1, 0]);
  expect(found(["two litres", "oat milk"])).toEqual([1, 0]);
  expect(found([{ text: "soy milk" }])).toEqual([null, null]);
});

test("A tab and a note with the same id and value are different things", () => {
  const note = child("x", 0, "notes");
  expect(recogniseChildren([X, note], "pages", [tab("a", "x")], [tab("a", "x")])).toEqual([X]);
  expect(recogniseChildren([note], "pages", [tab("a", "x")], [tab("a", "x")])).toEqual([]);
});

test("An id that the extension rewrote once and kept is recognised from then on", () => {
  const pushes = [
    [tab("a", "x")],
    [tab("p"), tab("a", "own-1")],
    [tab("edited", "own-1"), tab("p")],
    [tab("p"), tab("q"), tab("edited again", "own-1")],
    [tab("edited again", "own-2"), tab("q")],
    [tab("last", "own-2")],
  ];
  let mine: readonly FiledChild[] = [X];
  const seen = pushes.slice(1).map((after, index) => {
    mine = recogniseChildren(mine, "pages", pushes[index] ?? [], after);
    return mine[0]?.at;
  });
  expect(seen).toEqual([1, 0, 2, 0, 0]);
});

test("A tab that a person removed and put back is the key's again, by its id", () => {
  const [gone] = recogniseChildren([X], "pages", [tab("a", "x")], [tab("p", "1")]);
  expect(gone).toEqual({ ...X, at: null });
  const still = recogniseChildren([child("x", null)], "pages", [tab("p", "1")], [tab("p", "1")]);
  expect(still).toEqual([{ ...X, at: null }]);
  expect(places(still, [tab("p", "1")], [tab("p", "1"), tab("a", "x")])).toEqual([1]);
});

test("A removed tab does not claim one with the same URL that a person opened since", () => {
  expect(places([child("x", null)], [], [tab("a")])).toEqual([null]);
  expect(places([child("x", null)], [tab("p")], [tab("p"), tab("a", "own")])).toEqual([null]);
});

const [first, last] = [child("x", 0), child("x", 2)];

test.each([
  ["all came back", first, [tab("a", "x"), tab("a")], [tab("a"), tab("a")], [0]],
  ["the person's first", child("x", 1), [tab("a"), tab("a", "x")], [tab("a"), tab("a")], [1]],
  ["one is missing", first, [tab("a", "x"), tab("a")], [tab("a")], [null]],
  [
    "the person's came back by id",
    first,
    [tab("a", "x"), tab("a", "p")],
    [tab("a", "p"), tab("a")],
    [1],
  ],
  [
    "only the person's came back, by id",
    first,
    [tab("a", "x"), tab("a", "p")],
    [tab("a", "p")],
    [null],
  ],
  [
    "the person's took the key's URL",
    first,
    [tab("a", "x"), tab("b", "p")],
    [tab("a", "p")],
    [null],
  ],
  ["the person opened one more", first, [tab("a", "x")], [tab("a"), tab("a")], [0]],
  [
    "the person opened one more, the key's kept its id",
    first,
    [tab("a", "x")],
    [tab("a"), tab("a", "x")],
    [1],
  ],
  [
    "two of the person's, one missing",
    last,
    [tab("a"), tab("a"), tab("a", "x")],
    [tab("a"), tab("a")],
    [null],
  ],
  [
    "others between",
    first,
    [tab("a", "x"), tab("b"), tab("a")],
    [tab("b"), tab("a"), tab("a")],
    [1],
  ],
])("Equal URLs are matched one for one: %s", (_name, mine, before, after, expected) => {
  expect(places([mine], before, after)).toEqual(expected);
});

test("If one of two tabs of the key with the same URL came back, it is still the key's", () => {
  const before = [tab("a", "x"), tab("a", "y")];
  expect(places([X, Y], before, [tab("a")])).toEqual([0, null]);
  expect(places([X, Y], before, [tab("a"), tab("a")])).toEqual([0, 1]);
  expect(places([X, Y], before, [tab("a"), tab("a", "y")])).toEqual([0, 1]);
});

test("A tab that came back under a key's id is that one, and not another with its URL", () => {
  const gone = child("x", null);
  expect(places([gone, child("y", 0)], [tab("a", "y")], [tab("a", "x")])).toEqual([0, null]);
  const rewritten = [tab("a", "own-1"), tab("a", "y")];
  expect(places([X, Y], rewritten, [tab("a", "x"), tab("a")])).toEqual([0, 1]);
});

test("Items that are not tabs are ignored, and never mistaken for one", () => {
  expect(places([X], [tab("a", "x")], [null, 7, [], {}, tab("a", "x")])).toEqual([4]);
  expect(places([X], [{ id: "x" }], [{}, { title: "no url" }])).toEqual([null]);
});

test("An item is recognised by text or by its own URL or text, and by nothing else", () => {
  expect(childValue("pages", { url: "u", text: "t" })).toBe("u");
  expect(childValue("notes", { url: "u", text: "t" })).toBe("t");
  expect(childValue("notes", "t")).toBe("t");
  expect([{ url: 7 }, {}, [], null, 7].map((item) => childValue("pages", item))).toEqual(
    Array.from({ length: 5 }, () => null),
  );
  expect([{ id: "x" }, { id: "" }, { id: 7 }, "x", null].map(childId)).toEqual([
    "x",
    null,
    null,
    null,
    null,
  ]);
});

test("The author of an item is the key if the item is the key's, otherwise a person", () => {
  expect(authorship([X], "pages")(0)).toEqual({
    created_by: "agent",
    created_by_key: "bot",
    created_at: FILED,
  });
  const person = { created_by: "person" as const, created_by_key: null, created_at: null };
  expect(authorship([X], "pages")(1)).toEqual(person);
  expect(authorship([X], "notes")(0)).toEqual(person);
  expect(authorship([child("x", null)], "pages")(0)).toEqual(person);
});
