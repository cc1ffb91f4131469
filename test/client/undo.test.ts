import { describe, expect, test } from "bun:test";
import type { Payload } from "../../src/domain/base/payload.ts";
import { takenBack } from "../../src/client/undo.ts";

const tab = (id: string, title = id): Payload => ({ id, url: `https://${id}.example/`, title });

type Case = readonly [name: string, before: Payload, after: Payload, now: Payload, result: Payload];

const CASES: readonly Case[] = [
  ["a field", { title: "a" }, { title: "b" }, { title: "b", due: "x" }, { title: "a", due: "x" }],
  ["a field that was added", {}, { due: "x" }, { due: "x" }, {}],
  ["a field that was cleared", { due: "x" }, {}, {}, { due: "x" }],
  [
    "not a field that somebody changed since",
    { title: "a" },
    { title: "b" },
    { title: "c" },
    { title: "c" },
  ],
  [
    "an added tab, and keeps an agent's",
    { pages: [tab("a")] },
    { pages: [tab("a"), tab("b")] },
    { pages: [tab("a"), tab("b"), tab("agent")] },
    { pages: [tab("a"), tab("agent")] },
  ],
  [
    "a removed tab, in its old place, and keeps an agent's",
    { pages: [tab("a"), tab("b"), tab("c")] },
    { pages: [tab("a"), tab("c")] },
    { pages: [tab("a"), tab("c"), tab("agent")] },
    { pages: [tab("a"), tab("b"), tab("c"), tab("agent")] },
  ],
  [
    "all tabs removed",
    { pages: [tab("a"), tab("b")] },
    { pages: [] },
    { pages: [tab("agent")] },
    { pages: [tab("a"), tab("b"), tab("agent")] },
  ],
  [
    "a tab's new title, and not one that changed since",
    { pages: [tab("a"), tab("b")] },
    { pages: [tab("a", "x"), tab("b", "x")] },
    { pages: [tab("a", "x"), tab("b", "y"), tab("agent")] },
    { pages: [tab("a"), tab("b", "y"), tab("agent")] },
  ],
  [
    "another order, with an agent's tab in between",
    { pages: [tab("a"), tab("b"), tab("c")] },
    { pages: [tab("c"), tab("a"), tab("b")] },
    { pages: [tab("c"), tab("agent"), tab("a"), tab("b")] },
    { pages: [tab("a"), tab("agent"), tab("b"), tab("c")] },
  ],
  [
    "tabs without ids",
    { pages: [{ url: "a" }] },
    { pages: [{ url: "a" }, { url: "b" }] },
    { pages: [{ url: "c" }, { url: "a" }, { url: "b" }] },
    { pages: [{ url: "c" }, { url: "a" }] },
  ],
];

describe("undo takes back", () => {
  for (const [name, before, after, now, result] of CASES)
    test(name, () => expect(takenBack(before, after, now)).toEqual(result));
});
