import { expect, test } from "bun:test";
import { type Author, PERSON } from "../../../src/domain/people/account.ts";
import { addNotes, addTabs, type Content, newTask } from "../../../src/domain/tasks/content.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";

const FILED = "2026-03-04T12:00:00.000Z";
const BOT: Author = { created_by: "agent", created_by_key: "bot" };

/** Files as `author` at noon; ids are n1, n2 and so on. */
const filing = (author: Author) => {
  let made = 0;
  return { author, now: NOON, newId: () => `n${(made += 1)}` };
};

const content = (payload: object): Content => ({
  payload: payload as Content["payload"],
  filed: [],
});

test("A new task has every field that REST knows, with defaults if nothing was sent", () => {
  const draft = { title: "Buy milk", tabs: [], notes: [] };
  expect(newTask(draft, {}, filing(PERSON))).toEqual({
    payload: {
      title: "Buy milk",
      status: "todo",
      colour: null,
      project_id: null,
      bucket_id: null,
      pages: [],
      notes: [],
    },
    filed: [],
  });
});

test("A key's new task is filed in one step, its tabs and notes in the order sent", () => {
  const draft = {
    title: "Buy milk",
    status: "blocked",
    colour: "#fc0",
    tabs: [
      { url: "https://a.example/", title: "A" },
      { url: "https://b.example/", title: null },
    ],
    notes: ["oat"],
  };
  const task = newTask(draft, { project_id: "p1", bucket_id: "b1" }, filing(BOT));
  expect(task.payload).toEqual({
    title: "Buy milk",
    status: "blocked",
    colour: "#fc0",
    project_id: "p1",
    bucket_id: "b1",
    pages: [
      { id: "n1", ...BOT, created_at: FILED, url: "https://a.example/", title: "A" },
      {
        id: "n2",
        ...BOT,
        created_at: FILED,
        url: "https://b.example/",
        title: "https://b.example/",
      },
    ],
    notes: [{ id: "n3", ...BOT, created_at: FILED, text: "oat" }],
  });
  const mine = { key: "bot", createdAt: FILED };
  expect(task.filed).toEqual([
    { list: "pages", id: "n1", ...mine, at: 0 },
    { list: "pages", id: "n2", ...mine, at: 1 },
    { list: "notes", id: "n3", ...mine, at: 0 },
  ]);
});

test("Filed children go after those that are there, which stay as they are", () => {
  const there = { url: "p", scroll: { top: 7 } };
  const before = content({ title: "Buy milk", starred: true, pages: [there, "plain", null] });
  const { payload, filed } = addTabs(before, [{ url: "u", title: null }], filing(BOT));
  expect(payload).toEqual({
    title: "Buy milk",
    starred: true,
    pages: [there, "plain", null, { id: "n1", ...BOT, created_at: FILED, url: "u", title: "u" }],
  });
  expect(filed).toMatchObject([{ id: "n1", at: 3 }]);
});

test("What a person files over REST is remembered as a person's", () => {
  const { payload, filed } = addNotes(content({}), ["oat"], filing(PERSON));
  expect(payload).toEqual({ notes: [{ id: "n1", ...PERSON, created_at: FILED, text: "oat" }] });
  expect(filed).toEqual([
    { list: "notes", id: "n1", key: null, person: true, createdAt: FILED, at: 0 },
  ]);
});

test.each([
  ["absent", {}],
  ["null", { pages: null }],
])("A list that is %s is created", (_name, payload) => {
  expect(
    addTabs(content(payload), [{ url: "u", title: null }], filing(BOT)).payload["pages"],
  ).toHaveLength(1);
});

const cannotAdd = (list: string) => ({
  reason: "invalid" as const,
  message: `Docket cannot add to this task's ${list}, because the extension stores them in a format of its own. Change the task in the extension.`,
  headers: {},
});

test.each([
  ["text", "u"],
  ["a number", 7],
  ["true", true],
  ["an object", { first: "u" }],
  ["an object with a length", { length: 0 }],
])("A list that the extension stores as %s is never overwritten", async (_name, list) => {
  const tabs = [{ url: "u", title: null }];
  expect(await refused(() => addTabs(content({ pages: list }), tabs, filing(BOT)))).toEqual(
    cannotAdd("pages"),
  );
  expect(await refused(() => addNotes(content({ notes: list }), ["oat"], filing(BOT)))).toEqual(
    cannotAdd("notes"),
  );
});
