import { describe, expect, test } from "bun:test";
import type { ChildFinder } from "../../../src/domain/sync/merge.ts";
import type { Knowledge } from "../../../src/domain/sync/knowledge.ts";
import {
  DELETED,
  KNOWS,
  UNAWARE,
  bots,
  push,
  stored,
  tab,
  withoutId,
} from "../../support/merging.ts";

describe("the bot filed tab b into a task with ann's tab a", () => {
  const state = stored({ title: "t", pages: [tab("a"), tab("b")] }, { filed: [bots("b", 1)] });

  test.each<[string, readonly unknown[], Knowledge, readonly unknown[], boolean]>([
    ["does not know it: it is put back", [tab("a")], UNAWARE, [tab("a"), tab("b")], true],
    ["knows it, and removed it: it is gone", [tab("a")], KNOWS, [tab("a")], false],
    ["keeps it", [tab("a"), tab("b")], UNAWARE, [tab("a"), tab("b")], false],
    ["keeps it at another index", [tab("b"), tab("a")], UNAWARE, [tab("b"), tab("a")], false],
    ["keeps it without its id", [withoutId("b")], UNAWARE, [withoutId("b")], false],
    ["adds one", [tab("a"), tab("c")], UNAWARE, [tab("a"), tab("c"), tab("b")], true],
    ["removes ann's", [tab("b")], UNAWARE, [tab("b")], false],
    ["removes all, not knowing it", [], UNAWARE, [tab("b")], true],
    ["removes all", [], KNOWS, [], false],
  ])("a phone that %s", (_name, pages, knowledge, current, differs) => {
    const merged = push(state, { title: "new", pages }, knowledge);
    expect(merged).toMatchObject({ payload: { title: "new", pages: current }, differs });
    expect(merged.payload["pages"]).toEqual(current);
    const at = (current as readonly { url: string }[]).findIndex(({ url }) => url === tab("b").url);
    expect(merged.where).toEqual(at === -1 ? [] : [["b", at]]);
  });

  test("a push is not touched if nothing is put back", () => {
    const payload = { pages: [tab("b")], odd: [{ deep: 1 }] };
    expect(push(state, payload, UNAWARE).payload).toBe(payload);
  });

  test("a phone that pushes the task without its list gets the tab that it does not know", () => {
    const merged = push(state, { title: "new" }, UNAWARE);
    expect(merged).toMatchObject({ payload: { title: "new", pages: [tab("b")] }, differs: true });
    expect(merged.where).toEqual([["b", 0]]);
  });

  test("if it knows the tab, the tab waits for its list", () => {
    const merged = push(state, { title: "new" }, KNOWS);
    expect(merged).toMatchObject({ payload: { title: "new" }, differs: false });
    expect(merged.filed).toEqual([{ ...bots("b", null), item: tab("b") }]);
    const again = push(stored(merged.payload, merged), { pages: [withoutId("b")] }, KNOWS);
    expect(again.filed).toEqual([bots("b", 0)]);
  });

  test("a list that the extension stores in another form stays so, and the tab waits", () => {
    const merged = push(state, { pages: "a,b" }, UNAWARE);
    expect(merged).toMatchObject({ payload: { pages: "a,b" }, differs: false });
    expect(merged.filed).toEqual([{ ...bots("b", null), item: tab("b") }]);
  });

  test.each([
    ["without its list", {}],
    ["with a list that lacks it", { pages: [tab("a")] }],
  ])(
    "a deletion %s wins over a tab that it does not know, which comes back with the task",
    (_name, payload) => {
      const merged = push(state, payload, UNAWARE, { deletedAt: DELETED });
      expect(merged).toMatchObject({ payload, deletedAt: DELETED, differs: false });
      const dead = stored(merged.payload, merged);
      const revived = push(dead, { title: "new", pages: [tab("a")] }, UNAWARE);
      expect(revived).toMatchObject({
        payload: { title: "new", pages: [tab("a"), tab("b")] },
        deletedAt: null,
        differs: true,
      });
      const known = push(dead, { title: "new", pages: [tab("a")] }, KNOWS);
      expect(known).toMatchObject({ payload: { pages: [tab("a")] }, filed: [], differs: false });
    },
  );
});

test("Notes are put back like tabs, each in its own list", () => {
  const note = { id: "n", text: "Ask bob." };
  const filed = [bots("b", 0), bots("n", 0, { list: "notes" })];
  const merged = push(stored({ pages: [tab("b")], notes: [note] }, { filed }), {}, UNAWARE);
  expect(merged.payload).toEqual({ pages: [tab("b")], notes: [note] });
  expect(merged.filed).toEqual(filed);
});

test("Several are put back in their stored order, after what was pushed, whenever they were filed", () => {
  const filed = [bots("c", 2), bots("b", 1), bots("a", 0)];
  const state = stored({ pages: [tab("a"), tab("b"), tab("c")] }, { filed });
  const merged = push(state, { pages: [tab("x"), tab("b")] }, UNAWARE);
  expect(merged.payload["pages"]).toEqual([tab("x"), tab("b"), tab("a"), tab("c")]);
  expect(merged.where).toEqual([
    ["b", 1],
    ["a", 2],
    ["c", 3],
  ]);
});

/** Finds b, which the bot filed into another task. */
const findMovedChildren: ChildFinder = (list, _before, after) =>
  list === "pages" && after.length > 0 ? [bots("b", 0, { stamp: undefined })] : [];

test("A tab that a device moves here is the key's, and known to all devices", () => {
  const moved = push(stored({}), { pages: [tab("b")] }, UNAWARE, { findMovedChildren });
  expect(moved.where).toEqual([["b", 0]]);
  expect(push(stored(moved.payload, moved), { pages: [] }, UNAWARE)).toMatchObject({
    payload: { pages: [] },
    filed: [],
    differs: false,
  });
});
