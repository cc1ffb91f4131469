import { expect, test } from "bun:test";
import fc from "fast-check";
import { Refusal } from "../../../../src/domain/base/refusal.ts";
import { cases } from "../../../support/random.ts";
import { NOON } from "../../../support/server.ts";
import { finder } from "../../../support/db/search.ts";
import { accountFor, openForTest, recordOf } from "../../../support/db/store.ts";
import { pushChanges } from "../../../support/rules.ts";

/** Syntax that FTS5 does not treat as words, or that SQLite or JSON might interpret. */
const SYNTAX = [
  '"',
  '""',
  "'",
  "*",
  "^",
  ":",
  "-",
  "+",
  "(",
  ")",
  "{",
  "}",
  ",",
  ".",
  "\\",
  "\0",
  "\uD83E",
];
const SPEECH = [
  "AND",
  "OR",
  "NOT",
  "NEAR",
  "NEAR(",
  "account",
  "title",
  "account:1",
  "{account}:",
  "- account :",
  "notes:",
  "rank",
  "bm25",
];
const WILD = [
  "rust",
  "secret",
  "1",
  "2",
  " ",
  "\t",
  "\u3000",
  "%00",
  "%22",
  "--",
  ";",
  "/*",
  "東",
  "🚀",
  "\u0301",
  "\u166D",
];
const hostile = fc.oneof(
  fc
    .array(fc.constantFrom(...SYNTAX, ...SPEECH, ...WILD), { maxLength: 20 })
    .map((parts) => parts.join("")),
  fc
    .array(fc.constantFrom(...SYNTAX, ...SPEECH, ...WILD), { maxLength: 20 })
    .map((parts) => parts.join(" ")),
  fc.string({ unit: "binary", maxLength: 210 }),
  fc.string({ maxLength: 60 }),
);

test("Every query is treated as words only: none fails, and none reaches another account's tasks", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const all = [...SYNTAX, ...SPEECH, ...WILD].join(" ");
  const everything = { title: all, pages: [{ url: all, title: all }], notes: [{ text: all }] };
  await pushChanges(store, bob, null, [recordOf("bob's", NOON, everything)], NOON);
  const mine = { title: "rust and notes", pages: [{ url: "https://near.example/1" }] };
  await pushChanges(store, ann, null, [recordOf("ann's", NOON, mine)], NOON);
  const find = finder(store, ann);
  const outcomes = new Set<string>();
  const property = fc.asyncProperty(hostile, async (q) => {
    const outcome = await find(q, { closed: true }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return error.reason;
    });
    outcomes.add(String(outcome));
  });
  await fc.assert(property, cases(2_000));
  expect([...outcomes].toSorted()).toEqual(["", "ann's", "invalid"]);
});
