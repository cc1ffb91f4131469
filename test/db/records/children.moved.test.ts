import { expect, test } from "bun:test";
import { readTaskView, taskChildren } from "../../../src/db/records/lookup.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";
import { BOT, accountFor, openForTest, recordOf, upToDate } from "../../support/db/store.ts";
import { fileInbox, pushChanges } from "../../support/rules.ts";

const A = { url: "https://a.example/", title: "A" };

/** ann's device, and the inbox into which her bot filed tab A. */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { id: inbox } = await fileInbox(store, ann, [A], BOT, NOON);
  let now = NOON + 1_000;
  const push = async (id: string, payload: object, more: object = {}): Promise<void> => {
    const sender = await upToDate(store, now);
    const change = recordOf(id, (now += 1_000), payload, more);
    expect(await pushChanges(store, ann, sender, [change], now)).toMatchObject({ applied: 1 });
  };
  const row = (id: string) => readTaskView(store, ann, null, id);
  const authors = async (id: string) =>
    taskChildren(await row(id)).tabs.map((tab) => [tab.created_by, tab.created_by_key]);
  const { pages } = JSON.parse((await row(inbox)).payload) as { pages: readonly object[] };
  return { inbox, push, row, authors, page: pages[0] ?? {} };
};

const BY_BOT = ["agent", "bot"];
const BY_PERSON = ["person", null];

test("A tab that a device moves into another task stays the key's, recognised by Docket's id alone", async () => {
  const { inbox, push, authors, page } = await world();
  const moved = { id: (page as { id: string }).id, url: A.url };
  await push("sorted", { title: "Sorted", pages: [{ url: "https://p.example/" }, moved] });
  await push(inbox, { title: "Agent unsorted", pages: [] });
  expect(await authors("sorted")).toEqual([BY_PERSON, BY_BOT]);
  await push("sorted-again", { title: "Sorted again", pages: [moved] });
  expect(await authors("sorted-again")).toEqual([BY_BOT]);
});

test.each([
  ["deleted and brought back", {}, { deleted_at: formatInstant(NOON) }],
  ["pushed without its tabs", { title: "Agent unsorted" }, {}],
  ["pushed with tabs in another form", { title: "Agent unsorted", pages: "none" }, {}],
])(
  "A task that was %s has the key's tab as the key's, even if ids are dropped",
  async (_name, payload, more) => {
    const { inbox, push, authors } = await world();
    await push(inbox, payload, more);
    await push(inbox, { title: "Agent unsorted", pages: [A] });
    expect(await authors(inbox)).toEqual([BY_BOT]);
  },
);

test("A task deleted with its tabs in the tombstone gets them back with their authors", async () => {
  const { inbox, push, authors, page } = await world();
  const gone = { deleted_at: formatInstant(NOON) };
  await push(
    inbox,
    { title: "Agent unsorted", pages: [{ url: "https://p.example/" }, page] },
    gone,
  );
  await push(inbox, { title: "Agent unsorted", pages: [{ url: "https://p.example/" }, A] });
  expect(await authors(inbox)).toEqual([BY_PERSON, BY_BOT]);
});

test("A copy that a person makes of a key's tab is the person's", async () => {
  const { push, authors, page } = await world();
  await push("sorted", { title: "Sorted", pages: [page, page] });
  expect(await authors("sorted")).toEqual([BY_BOT, BY_PERSON]);
});

test("A tab that a person removed and saves again is theirs; under its old id it is the key's", async () => {
  const { inbox, push, authors, page } = await world();
  await push(inbox, { title: "Agent unsorted", pages: [] });
  await push(inbox, { title: "Agent unsorted", pages: [A] });
  expect(await authors(inbox)).toEqual([BY_PERSON]);
  await push(inbox, { title: "Agent unsorted", pages: [A, page] });
  expect(await authors(inbox)).toEqual([BY_PERSON, BY_BOT]);
});

test("What a person removed adds nothing to the task's size", async () => {
  const { inbox, push, row } = await world();
  expect((await row(inbox)).filed).not.toBeNull();
  await push(inbox, { title: "Agent unsorted", pages: [] });
  expect((await row(inbox)).filed).toBeNull();
});

test("A child filed by a key of one account means nothing in another account", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const bob = await accountFor(store, "bob@example.org");
  const { payload } = await fileInbox(store, ann, [A], BOT, NOON);
  await fileInbox(store, bob, [A], BOT, NOON);
  await pushChanges(store, bob, null, [recordOf("t1", NOON, JSON.parse(payload) as object)], NOON);
  expect(taskChildren(await readTaskView(store, bob, null, "t1")).tabs[0]?.created_by).toBe(
    "person",
  );
});
