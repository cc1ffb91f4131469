import { expect, test } from "bun:test";
import { childId, type FiledChild } from "../../../src/domain/tasks/child.ts";
import type { Payload } from "../../../src/domain/base/payload.ts";
import { type Restoring, restoreContent } from "../../../src/domain/history/restore.ts";
import { NOON } from "../../support/server.ts";
import { growth, LINEAR } from "../../support/growth.ts";

const THEN = "2026-03-01T08:00:00.000Z";
const NOW = "2026-03-04T12:00:00.000Z";

const tab = (url: string, id?: string) => (id === undefined ? { url } : { id, url });
const bots = (id: string, at: number | null, more: object = {}): FiledChild => ({
  list: "pages",
  id,
  key: "bot",
  createdAt: THEN,
  at,
  ...more,
});
const persons = (id: string, at: number, createdAt = NOW): FiledChild => ({
  list: "pages",
  id,
  key: null,
  person: true,
  createdAt,
  at,
});

/** A server that knows of one tab that a key once filed, `k`. */
const restoring = (): Restoring => {
  let made = 0;
  return {
    now: NOON,
    newId: () => `new-${(made += 1)}`,
    findMovedChildren: (list, before, after) =>
      after.flatMap((item, at) =>
        list === "pages" && childId(item) === "k" && !before.map(childId).includes("k")
          ? [bots("k", at)]
          : [],
      ),
  };
};

const pages = (value: unknown): Payload => (value === undefined ? {} : { pages: value });

const restore = (
  before: readonly unknown[] | string | undefined,
  filed: readonly FiledChild[],
  wanted: readonly unknown[] | string | undefined,
) => {
  const restored = restoreContent({ payload: pages(before), filed }, pages(wanted), restoring());
  expect(restored.payload).toEqual(pages(wanted));
  return restored.filed;
};

type List = readonly unknown[] | string | undefined;

test.each<[string, List, readonly FiledChild[], List, readonly FiledChild[]]>([
  ["stay as they are", [tab("a", "a")], [], [tab("a", "a")], []],
  [
    "stay the key's",
    [tab("b", "k")],
    [bots("k", 0)],
    [tab("a", "a"), tab("b", "k")],
    [persons("a", 0), bots("k", 1)],
  ],
  [
    "stay the key's under the id they had",
    [tab("b", "own")],
    [bots("k", 0)],
    [tab("b", "k")],
    [bots("k", 0)],
  ],
  ["stay the key's without an id", [tab("b", "k")], [bots("k", 0)], [tab("b")], [bots("k", 0)]],
  ["come back as the key's, by the id", [], [], [tab("b", "k")], [bots("k", 0)]],
  [
    "come back as the person's without it",
    [],
    [],
    [tab("b"), { ...tab("a", "a"), created_at: THEN }],
    [persons("new-1", 0), persons("a", 1, THEN)],
  ],
  [
    "come back from a list that was missing",
    undefined,
    [bots("k", null, { item: tab("b", "k") })],
    [tab("b")],
    [bots("k", 0)],
  ],
  [
    "come back once, a second one as a copy",
    [],
    [],
    [tab("a", "a"), tab("a", "a")],
    [persons("a", 0)],
  ],
  ["go", [tab("a", "a"), tab("b", "k")], [bots("k", 1)], [], []],
  ["go under both ids", [tab("b", "own")], [bots("k", 0)], [], []],
  ["go with their list", [tab("a", "a"), tab("b", "k")], [bots("k", 1)], undefined, []],
  ["go if the list takes another form", [tab("b", "k")], [bots("k", 0)], "none", []],
  ["keep waiting if there is no list", "none", [bots("k", null)], undefined, [bots("k", null)]],
  ["go without an id, as many as there are too many", [tab("a"), tab("a"), "a"], [], ["a"], []],
  [
    "come back without an id, as many as are missing",
    ["a"],
    [],
    [tab("a"), tab("a")],
    [persons("new-1", 1)],
  ],
  [
    "that are not tabs are recognised by content",
    [7, { odd: 1 }],
    [],
    [{ odd: 1 }, 8],
    [persons("new-1", 1)],
  ],
])("Tabs of a restored version %s", (_name, before, filed, wanted, expected) => {
  expect(restore(before, filed, wanted)).toEqual([...expected]);
});

test("Tabs and notes are not confused", () => {
  const stored = { payload: { pages: [], notes: [{ id: "n", text: "a" }] }, filed: [] };
  const wanted = { pages: [{ id: "n", url: "a" }], notes: [] };
  expect(restoreContent(stored, wanted, restoring()).filed).toEqual([persons("n", 0)]);
});

test("Restoring a version of many tabs takes time in proportion", () => {
  const grown = growth(500, (count: number) => {
    const tabsFrom = (from: number) =>
      Array.from({ length: count }, (_, at) => tab(`u${from + at}`, `i${from + at}`));
    const stored = {
      payload: { pages: tabsFrom(0) },
      filed: tabsFrom(0).map((item, at) => bots(item.id ?? "", at)),
    };
    const wanted = { pages: tabsFrom(count / 2) };
    const restored = () => restoreContent(stored, wanted, restoring());
    expect(restored().filed).toHaveLength(count);
    return restored;
  });
  expect(grown).toBeLessThan(LINEAR);
});
