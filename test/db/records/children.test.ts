import { expect, test } from "bun:test";
import { readTaskView, taskChildren } from "../../../src/db/records/lookup.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";
import { BOT, accountFor, openForTest, recordOf, upToDate } from "../../support/db/store.ts";
import { addNote, createTask, fileTabs, patchTask, pushChanges } from "../../support/rules.ts";

const A = { url: "https://a.example/", title: "A" };
const P = { url: "https://p.example/", title: "P" };

type Item = { readonly id?: string; readonly url?: string; readonly title?: string };

/** ann's device and her bot working on one task, in which the bot filed tab A and the note "oat". */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const draft = { title: "Buy milk", tabs: [], notes: ["oat"] };
  const { id } = await createTask(store, ann, draft, BOT, NOON);
  await fileTabs(store, ann, id, [A], BOT, NOON);
  let now = NOON + 1_000;
  const push = async (payload: object, more: object = {}): Promise<void> => {
    const sender = await upToDate(store, now);
    const change = recordOf(id, (now += 1_000), payload, more);
    expect(await pushChanges(store, ann, sender, [change], now)).toMatchObject({ applied: 1 });
  };
  const children = async () => taskChildren(await readTaskView(store, ann, null, id));
  /** Who filed each tab, by its title. */
  const tabs = async () => (await children()).tabs.map((tab) => [tab.title, tab.created_by]);
  const notes = async () => (await children()).notes.map((note) => [note.text, note.created_by]);
  const stored = async () => {
    const { pages, notes: all } = JSON.parse(
      (await readTaskView(store, ann, null, id)).payload,
    ) as {
      pages: readonly Item[];
      notes: readonly Item[];
    };
    return { pages, notes: all };
  };
  return { store, ann, id, push, tabs, notes, stored };
};

test("A tab that a key filed stays the key's through every push, whatever the push does to its fields", async () => {
  const { push, tabs, notes, stored } = await world();
  const [page] = (await stored()).pages;
  const forms: readonly Item[] = [
    { ...page },
    { id: page?.id ?? "", ...A },
    { ...A },
    { ...A, id: "own-1" },
    { ...A, id: "own-1", url: "https://a.example/moved" },
    { ...A, id: "own-1" },
    { ...A },
    { id: page?.id ?? "", ...A },
  ];
  for (const form of forms) {
    await push({ title: "Buy milk", pages: [P, form], notes: [{ text: "oat" }, "mine"] });
    expect(await tabs()).toEqual([
      ["P", "person"],
      ["A", "agent"],
    ]);
    expect(await notes()).toEqual([
      ["oat", "agent"],
      ["mine", "person"],
    ]);
  }
});

test("A push cannot pass off a person's tab as a key's, or a key's as a person's", async () => {
  const { push, tabs, stored } = await world();
  const [page] = (await stored()).pages;
  await push({
    pages: [
      { ...P, created_by: "agent", created_by_key: "bot" },
      { ...page, created_by: "person", created_by_key: null },
    ],
  });
  expect(await tabs()).toEqual([
    ["P", "person"],
    ["A", "agent"],
  ]);
});

test("A removed tab that comes back by its id is the key's again; by its URL alone it is the person's", async () => {
  const { push, tabs, stored } = await world();
  const [page] = (await stored()).pages;
  await push({ pages: [] });
  await push({ pages: [A] });
  expect(await tabs()).toEqual([["A", "person"]]);
  await push({ pages: [A, { ...page }] });
  expect(await tabs()).toEqual([
    ["A", "person"],
    ["A", "agent"],
  ]);
});

test("A task that is deleted and brought back still has its key's tabs", async () => {
  const { push, tabs, notes, stored } = await world();
  const before = await stored();
  await push({}, { deleted_at: formatInstant(NOON) });
  await push({ title: "Buy milk", ...before });
  expect([await tabs(), await notes()]).toEqual([[["A", "agent"]], [["oat", "agent"]]]);
});

test("Children that keys file between pushes are theirs too, and edits of the task's fields do not affect them", async () => {
  const { store, ann, id, push, tabs, notes } = await world();
  await push({ title: "Buy milk", pages: [P, A] });
  const B = { url: "https://b.example/", title: "B" };
  await fileTabs(store, ann, id, [B], BOT, NOON);
  await addNote(store, ann, id, "two litres", BOT, NOON);
  await patchTask(store, ann, id, { patch: { title: "x" }, ifMatch: null }, BOT, NOON);
  expect(await tabs()).toEqual([
    ["P", "person"],
    ["A", "agent"],
    ["B", "agent"],
  ]);
  expect(await notes()).toEqual([["two litres", "agent"]]);
  await push({ title: "Buy milk", pages: [B, P, A] });
  expect(await tabs()).toEqual([
    ["B", "agent"],
    ["P", "person"],
    ["A", "agent"],
  ]);
});

test("A list that a device turns into something else has no tabs, but their authors are not forgotten", async () => {
  const { push, tabs, stored } = await world();
  const { pages } = await stored();
  await push({ pages: "none" });
  expect(await tabs()).toEqual([]);
  await push({ pages });
  expect(await tabs()).toEqual([["A", "agent"]]);
});
