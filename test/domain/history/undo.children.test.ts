import { expect, test } from "bun:test";
import type { FiledChild } from "../../../src/domain/tasks/child.ts";
import type { Payload } from "../../../src/domain/base/payload.ts";
import {
  ANN,
  BOT,
  CAT,
  filed,
  pages,
  tab,
  summaryOf,
  UNDO,
  undo,
  type Version,
} from "../../support/undo.ts";

const [A, X, Y] = [tab("a"), tab("x", "x"), tab("y", "y")];

test.each<[string, Payload, readonly FiledChild[], readonly unknown[] | null, readonly string[]]>([
  ["as it was filed", pages(A, X), [filed("x", 1)], [A], ["tab https://x/ undone"]],
  ["with its id dropped", pages(tab("x"), A), [filed("x", 0)], [A], ["tab https://x/ undone"]],
  [
    "with its id rewritten",
    pages(tab("x", "own"), A),
    [filed("x", 0)],
    [A],
    ["tab https://x/ undone"],
  ],
  ["as a plain URL", pages("https://x/", A), [filed("x", 0)], [A], ["tab https://x/ undone"]],
  [
    "with fields of the extension's own",
    pages(A, { ...X, pinned: 1 }),
    [filed("x", 1)],
    [A],
    ["tab https://x/ undone"],
  ],
  [
    "beside a person's tab with the same URL",
    pages(tab("x"), tab("x")),
    [filed("x", 1)],
    [tab("x")],
    ["tab https://x/ undone"],
  ],
  [
    "under another title",
    pages(A, { ...X, title: "mine" }),
    [filed("x", 1)],
    null,
    ["tab https://x/ changed phone"],
  ],
  [
    "under another URL",
    pages(A, { ...X, url: "https://mine/" }),
    [filed("x", 1)],
    null,
    ["tab https://x/ changed phone"],
  ],
  ["no more", pages(A), [], null, ["tab https://x/ gone"]],
  [
    "in a list that takes another form",
    { pages: "none" },
    [filed("x", null)],
    null,
    ["tab https://x/ gone"],
  ],
])("An undo of a tab that is stored %s", (_name, now, children, expected, undoings) => {
  const plan = undo(
    pages(A),
    [
      [BOT, pages(A, X)],
      [ANN, now],
    ],
    children,
  );
  expect(plan.target && [plan.target.payload["pages"], plan.target.filed]).toEqual(
    expected && [expected, []],
  );
  expect(summaryOf(plan)).toEqual([...undoings]);
});

test("The person who changed the tab is named, not someone who changed something else later", () => {
  const mine = { ...X, title: "mine" };
  const versions = [
    [BOT, pages(X)],
    [ANN, pages(mine)],
    [CAT, pages(mine, Y)],
  ] as const;
  const plan = undo(pages(), versions, [filed("x", 0), { ...filed("y", 1), key: "cat" }]);
  expect(summaryOf(plan)).toEqual(["tab https://x/ changed phone"]);
});

test("Of two keys' tabs with one URL and no ids, one key's is removed and the other's stays theirs", () => {
  const [cats, bots] = [{ ...filed("c", 0), key: "cat" }, filed("x", 1)];
  const both = pages(tab("x"), tab("x"));
  const versions = [
    [CAT, pages(tab("x", "c"))],
    [BOT, pages(tab("x", "c"), X)],
    [ANN, both],
  ] as const;
  for (const children of [
    [cats, bots],
    [
      { ...cats, at: 1 },
      { ...bots, at: 0 },
    ],
  ]) {
    const plan = undo(pages(), versions, children);
    expect(plan.target?.filed).toEqual([{ ...cats, at: 0 }]);
    const [stays] = plan.target?.filed ?? [];
    const again = [...versions, [UNDO, plan.target?.payload ?? {}]] as const;
    const second = undo(pages(), again, stays ? [stays] : []);
    expect([second.target, summaryOf(second)]).toEqual([null, ["tab https://x/ gone"]]);
  }
});

test("Children that are undone leave the indexes of the others right", () => {
  const [note, Z] = [{ id: "n", text: "oat" }, tab("z", "z")];
  const last = { pages: [X, A, Y, Z], notes: [note] };
  const versions = [
    [BOT, { pages: [X, A], notes: [] }],
    [CAT, { pages: [X, A, Y, Z], notes: [] }],
    [BOT, last],
  ] as const;
  const children = [filed("x", 0), filed("y", 2), filed("z", 3), filed("n", 0, "notes")];
  const plan = undo({ pages: [A], notes: [] }, versions, children);
  expect(plan.target).toMatchObject({
    payload: { pages: [A, Y, Z], notes: [] },
    filed: [filed("y", 1), filed("z", 2)],
    isDeleted: false,
  });
});

test.each<[string, readonly Version[], boolean, readonly string[]]>([
  ["goes", [], true, ["made a undone"]],
  [
    "goes with everything the key did to it",
    [
      [BOT, { title: "b" }],
      [BOT, { title: "b", pages: [X] }],
    ],
    true,
    ["tab https://x/ undone", "title b undone", "made a undone"],
  ],
  [
    "goes even if the extension added fields of its own",
    [[ANN, { title: "a", order: 7, pages: [] }]],
    true,
    ["made a undone"],
  ],
  ["stays if a person changed it", [[ANN, { title: "mine" }]], false, ["made a changed phone"]],
  [
    "stays if another key filed into it",
    [[CAT, { title: "a", pages: [X] }]],
    false,
    ["made a changed cat"],
  ],
  [
    "goes once the other key's work was undone",
    [
      [CAT, { title: "a", pages: [X] }],
      [UNDO, { title: "a", pages: [] }],
    ],
    true,
    ["made a undone"],
  ],
])("An undone task of a key %s", (_name, versions, isDeleted, undoings) => {
  const made: Version = [BOT, { title: "a" }];
  const last = versions.at(-1)?.[1]["pages"];
  const children = Array.isArray(last) && last.length > 0 ? [filed("x", 0)] : [];
  const plan = undo(null, [made, ...versions], children);
  expect(plan.target?.isDeleted ?? false).toBe(isDeleted);
  expect(summaryOf(plan)).toEqual([...undoings]);
});
