import { describe, expect, test } from "bun:test";
import { openIndex, rangeOf } from "../../../../src/db/sqlite/search/index-file.ts";
import { findHits } from "../../../../src/db/sqlite/search/query.ts";
import { readWords } from "../../../../src/domain/tasks/search.ts";
import { pushChanges } from "../../../support/rules.ts";
import { NOON } from "../../../support/server.ts";
import { finder, readAll } from "../../../support/db/search.ts";
import { accountFor, openForTest, recordOf } from "../../../support/db/store.ts";

const NEAR = 100;
const NEARLY = "new old ".repeat(12) + "old";

/** ann's tasks: many whose text nearly has a phrase that repeats words, and two that have it. */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const nearly = Array.from({ length: NEAR }, (_, at) =>
    recordOf(`t${at}`, NOON, { title: "x", notes: [{ text: NEARLY }] }),
  );
  const really = [
    recordOf("title", NOON, { title: "New-old, new-old!" }),
    recordOf("tab", NOON, {
      title: "old new",
      pages: [{ url: "https://new.example/old/new/older" }],
    }),
  ];
  await pushChanges(store, ann, null, [...really, ...nearly], NOON);
  return { store, ann };
};

describe("a phrase that repeats a word", () => {
  test("is found where its words follow one another in one part of a task, and nowhere else", async () => {
    const { store, ann } = await world();
    const find = finder(store, ann);
    expect(await find("old-new-old")).toHaveLength(NEAR + 2);
    expect(await find("new-example-old-new-old")).toEqual(["tab"]);
    expect(await find("new-old-new-olde")).toEqual([]);
    expect(await find("old-old-new")).toEqual([]);
    expect(await find("new-new")).toEqual([]);
  });

  // FTS5 itself would come back only once it has found a task that has the phrase.
  test("lets a search end at each task that has the words, although none has the phrase", async () => {
    const { store, ann } = await world();
    readAll(store.directory, [ann]);
    const index = openIndex(store.directory);
    const words = readWords("new-".repeat(20));
    const sought = { words, url: null, range: rangeOf(ann), places: [] };
    let looked = 0;
    const isNone = (): boolean => {
      looked += 1;
      return false;
    };
    const { tiers, partial } = await findHits(
      index,
      sought,
      isNone,
      () => 501 * Number(looked >= 3),
    );
    expect([looked, tiers.flat(), partial]).toEqual([3, [], true]);
  });
});
