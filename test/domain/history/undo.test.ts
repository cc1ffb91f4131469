import { expect, test } from "bun:test";
import type { Payload } from "../../../src/domain/base/payload.ts";
import {
  actsOf,
  ANN,
  BOT,
  CAT,
  tab,
  summaryOf,
  UNDO,
  undo,
  type Version,
  planUndo,
} from "../../support/undo.ts";
import { growth, LINEAR } from "../../support/growth.ts";

const title = (text: unknown): Payload => ({ title: text });

const WHO = { bot: BOT, cat: CAT, ann: ANN, undo: UNDO };

/** Who set the title to what, one after the other: `bot b, ann c`. */
const versionsOf = (text: string): readonly Version[] =>
  text.split(", ").map((one) => {
    const [who = "", to = ""] = one.split(" ");
    return [WHO[who as keyof typeof WHO], title(to)];
  });

test.each<[string, string, string | null, readonly string[]]>([
  ["A change is reverted", "bot b", "a", ["title b undone"]],
  [
    "Several changes are reverted to before the first",
    "bot b, bot c",
    "a",
    ["title c undone", "title b undone"],
  ],
  [
    "A change stays if a person changed the field since",
    "bot b, ann c",
    null,
    ["title b changed phone"],
  ],
  [
    "A change stays if another key changed the field since",
    "bot b, cat c",
    null,
    ["title b changed cat"],
  ],
  ["The last one to change it is named", "bot b, cat c, ann d", null, ["title b changed phone"]],
  ["A change that a person reverted is gone", "bot b, ann a", null, ["title b gone"]],
  [
    "A change is reverted to what a person set in between",
    "bot b, ann c, bot d",
    "c",
    ["title d undone", "title b changed phone"],
  ],
  [
    "A change that its key reverted is gone",
    "bot b, bot a",
    null,
    ["title a gone", "title b gone"],
  ],
  [
    "A change that was undone before is gone",
    "bot b, bot c, undo a",
    null,
    ["title c gone", "title b gone"],
  ],
  [
    "A change that was undone once and made again is reverted",
    "bot b, undo a, bot b",
    "a",
    ["title b undone", "title b gone"],
  ],
  ["Another key's undone change does not count", "bot b, cat c, undo b", "a", ["title b undone"]],
])("%s", (_name, versions, expected, undoings) => {
  const plan = undo(title("a"), versionsOf(versions));
  expect(plan.target?.payload["title"] ?? null).toBe(expected);
  expect(summaryOf(plan)).toEqual([...undoings]);
});

test("What another key did to other fields is not a change of this one", () => {
  const plan = undo(title("a"), [
    [BOT, title("b")],
    [CAT, { title: "b", status: "done" }],
  ]);
  expect([plan.target?.payload, summaryOf(plan)]).toEqual([
    { title: "a", status: "done" },
    ["title b undone"],
  ]);
});

test("A title that is not text is reverted too", () => {
  const plan = undo(title(["a"]), [[BOT, title({ odd: 1 })]]);
  expect([plan.target?.payload, summaryOf(plan)]).toEqual([
    title(["a"]),
    ['title {"odd":1} undone'],
  ]);
});

test("Planning to undo many changes by two keys takes time in proportion", () => {
  const tabs = Array.from({ length: 2_000 }, (_, at) => tab(String(at)));
  const grown = growth(500, (count: number) => {
    const versions = Array.from({ length: count }, (_, at): Version => [
      at % 2 === 0 ? BOT : CAT,
      { title: `t${at}`, pages: tabs },
    ]);
    const acts = actsOf({ title: "a", pages: tabs }, versions);
    const planned = () => planUndo(versions.at(-1)?.[1] ?? {}, [], acts);
    expect(planned().undoings).toHaveLength(count / 2);
    return planned;
  });
  expect(grown).toBeLessThan(LINEAR);
});
