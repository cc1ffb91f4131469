import { describe, expect, test } from "bun:test";
import { openDesk } from "../../../../src/db/sqlite/search/desk.ts";
import { openIndex } from "../../../../src/db/sqlite/search/index-file.ts";
import { findHits } from "../../../../src/db/sqlite/search/query.ts";
import { readWords } from "../../../../src/domain/tasks/search.ts";
import { pushChanges } from "../../../support/rules.ts";
import { NOON } from "../../../support/server.ts";
import { finder } from "../../_search.ts";
import { accountFor, openForTest, recordOf } from "../../_store.ts";

const NEAR = 100;
const NEARLY = "new old ".repeat(12) + "old";

/** ann's tasks: many whose text nearly has a phrase that repeats words, and two that have it. */
const world = async () => {
  const store = openForTest();
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
    const desk = openDesk(store.directory, { accountId: ann, restriction: null });
    while (!desk.step());
    desk.close();
    const { database } = openIndex(store.directory, String(ann));
    const sought = { words: readWords("new-".repeat(20)), url: null, places: [], only: null };
    let looked = 0;
    const isNone = (): boolean => {
      looked += 1;
      return false;
    };
    const hits = findHits(database, sought, isNone, () => (looked === 3 ? 501 : 0));
    let turn = hits.next();
    while (!turn.done) turn = hits.next();
    expect([looked, turn.value.tiers.flat(), turn.value.partial]).toEqual([3, [], true]);
  });
});
