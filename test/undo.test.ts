import { expect, test } from "bun:test";
import type { FiledChild } from "../src/child.ts";
import type { Payload } from "../src/payload.ts";
import { type Act, planUndo, type Undoing, type UndoPlan } from "../src/undo.ts";
import { NOON } from "./_server.ts";

const BOT = { kind: "api_key", id: "bot" } as const;
const CAT = { kind: "api_key", id: "cat" } as const;
const ANN = { kind: "session", id: "phone" } as const;
/** Ann undid something on her page. */
const UNDO = { kind: "person", id: null } as const;

type Who = typeof ANN | typeof BOT | typeof CAT | typeof UNDO;
/** What somebody made of the record. */
type Version = readonly [by: Who, payload: Payload];

/** All that was done to a record, the newest first; the bot's acts are those to undo. `null`: it was not there. */
const actsOf = (first: Payload | null, versions: readonly Version[]): readonly Act[] =>
  versions
    .map(([by, payload], index): Act => {
      const before = index === 0 ? first : (versions[index - 1]?.[1] ?? null);
      return {
        mine: by === BOT,
        undoes: by === UNDO,
        at: NOON + index,
        by,
        before: before && { payload: before, deletedAt: null },
        after: { payload, deletedAt: null },
      };
    })
    .toReversed();

/** Undoes the bot's acts on a record that nothing was done to but this. */
const undo = (
  first: Payload | null,
  versions: readonly Version[],
  filed: readonly FiledChild[] = [],
): UndoPlan => planUndo(versions.at(-1)?.[1] ?? {}, filed, actsOf(first, versions));

/** Each undoing in a word, with who changed it since. */
const told = ({ undoings }: UndoPlan): readonly string[] =>
  undoings.map(({ what, to, state, changedBy }: Undoing) =>
    [what, to ?? "null", state, ...(changedBy ? [changedBy.id ?? changedBy.kind] : [])].join(" "),
  );

const title = (text: unknown): Payload => ({ title: text });

test.each<[string, readonly Version[], string | null, readonly string[]]>([
  ["a change goes back", [[BOT, title("b")]], "a", ["title b undone"]],
  [
    "several go back to before the first",
    [
      [BOT, title("b")],
      [BOT, title("c")],
    ],
    "a",
    ["title c undone", "title b undone"],
  ],
  [
    "one that a person changed stays",
    [
      [BOT, title("b")],
      [ANN, title("c")],
    ],
    null,
    ["title b changed phone"],
  ],
  [
    "one that another key changed stays",
    [
      [BOT, title("b")],
      [CAT, title("c")],
    ],
    null,
    ["title b changed cat"],
  ],
  [
    "whoever changed it last is named",
    [
      [BOT, title("b")],
      [CAT, title("c")],
      [ANN, title("d")],
    ],
    null,
    ["title b changed phone"],
  ],
  [
    "one that a person changed back is gone",
    [
      [BOT, title("b")],
      [ANN, title("a")],
    ],
    null,
    ["title b gone"],
  ],
  [
    "it goes back to what a person made of it between",
    [
      [BOT, title("b")],
      [ANN, title("c")],
      [BOT, title("d")],
    ],
    "c",
    ["title d undone", "title b changed phone"],
  ],
  [
    "what another key did to other fields is no change",
    [
      [BOT, title("b")],
      [CAT, { title: "b", status: "done" }],
    ],
    "a",
    ["title b undone"],
  ],
  [
    "what came to nothing by itself is gone",
    [
      [BOT, title("b")],
      [BOT, title("a")],
    ],
    null,
    ["title a gone", "title b gone"],
  ],
  [
    "what was undone before is gone",
    [
      [BOT, title("b")],
      [BOT, title("c")],
      [UNDO, title("a")],
    ],
    null,
    ["title c gone", "title b gone"],
  ],
  [
    "what was undone once and done again goes back",
    [
      [BOT, title("b")],
      [UNDO, title("a")],
      [BOT, title("b")],
    ],
    "a",
    ["title b undone", "title b gone"],
  ],
  [
    "another key's undone change is none",
    [
      [BOT, title("b")],
      [CAT, title("c")],
      [UNDO, title("b")],
    ],
    "a",
    ["title b undone"],
  ],
  [
    "a title that is no text goes back too",
    [[BOT, title({ odd: 1 })]],
    "a",
    ['title {"odd":1} undone'],
  ],
])("%s", (_name, versions, expected, undoings) => {
  const plan = undo(title("a"), versions);
  expect(plan.target?.payload["title"] ?? null).toBe(expected);
  expect(told(plan)).toEqual([...undoings]);
});

const filed = (id: string, at: number | null, list: "notes" | "pages" = "pages"): FiledChild => ({
  list,
  id,
  key: "bot",
  createdAt: "",
  at,
});
const tab = (name: string, id?: string) => ({
  ...(id ? { id } : {}),
  url: `https://${name}/`,
  title: name,
});
const pages = (...items: readonly unknown[]): Payload => ({ pages: items });
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
  ["as a plain url", pages("https://x/", A), [filed("x", 0)], [A], ["tab https://x/ undone"]],
  [
    "with fields of the extension's own",
    pages(A, { ...X, pinned: 1 }),
    [filed("x", 1)],
    [A],
    ["tab https://x/ undone"],
  ],
  [
    "beside a person's tab of the same url",
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
    "under another url",
    pages(A, { ...X, url: "https://mine/" }),
    [filed("x", 1)],
    null,
    ["tab https://x/ changed phone"],
  ],
  ["no more", pages(A), [], null, ["tab https://x/ gone"]],
  [
    "in a list of another form",
    { pages: "none" },
    [filed("x", null)],
    null,
    ["tab https://x/ gone"],
  ],
])("a tab that was filed and stands %s", (_name, now, children, expected, undoings) => {
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
  expect(told(plan)).toEqual([...undoings]);
});

test("whoever changed the tab is named, not whoever did something else later", () => {
  const mine = { ...X, title: "mine" };
  const versions = [
    [BOT, pages(X)],
    [ANN, pages(mine)],
    [CAT, pages(mine, Y)],
  ] as const;
  const plan = undo(pages(), versions, [filed("x", 0), { ...filed("y", 1), key: "cat" }]);
  expect(told(plan)).toEqual(["tab https://x/ changed phone"]);
});

test("of two keys' tabs of one url, without ids, the one key's goes and the other's stays theirs", () => {
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
    expect([second.target, told(second)]).toEqual([null, ["tab https://x/ gone"]]);
  }
});

test("what was taken away can be known again by both of its ids, and by what it says", () => {
  const own = tab("x", "own");
  const plan = undo(
    pages(),
    [
      [BOT, pages(X)],
      [ANN, pages(own)],
    ],
    [filed("x", 0)],
  );
  expect(plan.target?.dropped).toEqual([
    { list: "pages", ids: ["x", "own"], value: Bun.hash("https://x/").toString(36) },
  ]);
});

test("children that are undone leave the others' places right", () => {
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
    "goes with all that the key did to it",
    [
      [BOT, { title: "b" }],
      [BOT, { title: "b", pages: [X] }],
    ],
    true,
    ["tab https://x/ undone", "title b undone", "made a undone"],
  ],
  [
    "goes though the extension added fields of its own",
    [[ANN, { title: "a", order: 7, pages: [] }]],
    true,
    ["made a undone"],
  ],
  ["stays where a person changed it", [[ANN, { title: "mine" }]], false, ["made a changed phone"]],
  [
    "stays where another key filed into it",
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
])("a task that a key made %s", (_name, versions, isDeleted, undoings) => {
  const made: Version = [BOT, { title: "a" }];
  const last = versions.at(-1)?.[1]["pages"];
  const children = Array.isArray(last) && last.length > 0 ? [filed("x", 0)] : [];
  const plan = undo(null, [made, ...versions], children);
  expect(plan.target?.isDeleted ?? false).toBe(isDeleted);
  expect(told(plan)).toEqual([...undoings]);
});

test("ten thousand acts of two keys are planned in a moment", () => {
  const tabs = Array.from({ length: 2_000 }, (_, at) => tab(String(at)));
  const versions = Array.from({ length: 10_000 }, (_, at): Version => [
    at % 2 === 0 ? BOT : CAT,
    { title: `t${at}`, pages: tabs },
  ]);
  const acts = actsOf({ title: "a", pages: tabs }, versions);
  const start = performance.now();
  const plan = planUndo(versions.at(-1)?.[1] ?? {}, [], acts);
  expect(performance.now() - start).toBeLessThan(1_000);
  expect(plan.undoings).toHaveLength(5_000);
});
