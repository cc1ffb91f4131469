import { expect, test } from "bun:test";
import type { FiledChild } from "../../../src/domain/tasks/child.ts";
import { readChildren, readNotes, readTabs } from "../../../src/domain/tasks/children.ts";

const FILED = "2026-03-04T12:00:00.000Z";
const PERSON = { created_by: "person" as const, created_by_key: null };
const AGENT = { created_by: "agent" as const, created_by_key: "bot" };

const filed = (list: "notes" | "pages", at: number): FiledChild => ({
  list,
  id: "x",
  key: "bot",
  createdAt: FILED,
  at,
});

test("a tab is shown with its url, its title and who filed it", () => {
  const pages = [
    { id: "1", url: "https://a.example/", title: "A", created_at: "2026-03-04T10:00:00+01:00" },
    { id: "x", url: "https://b.example/", title: "B" },
  ];
  expect(readTabs(pages, [filed("pages", 1)])).toEqual([
    {
      id: "1",
      url: "https://a.example/",
      title: "A",
      ...PERSON,
      created_at: "2026-03-04T09:00:00.000Z",
    },
    { id: "x", url: "https://b.example/", title: "B", ...AGENT, created_at: FILED },
  ]);
});

test("who filed a tab is never taken from the payload", () => {
  const claim = { id: "1", url: "u", title: "t", created_by: "agent", created_by_key: "bot" };
  expect(readTabs([claim], [])).toEqual([
    { id: "1", url: "u", title: "t", ...PERSON, created_at: null },
  ]);
  const denial = {
    ...claim,
    created_by: "person",
    created_by_key: null,
    created_at: "2020-01-01T00:00:00Z",
  };
  expect(readTabs([denial], [filed("pages", 0)])).toMatchObject([{ ...AGENT, created_at: FILED }]);
});

test.each([
  ["a plain url", "u", { id: null, url: "u", title: "u" }],
  ["no id", { url: "u", title: "t" }, { id: null, url: "u", title: "t" }],
  ["an id that is a number", { id: 7, url: "u", title: "t" }, { id: null, url: "u", title: "t" }],
  ["no title", { id: "1", url: "u" }, { id: "1", url: "u", title: "u" }],
  ["an empty title", { id: "1", url: "u", title: "" }, { id: "1", url: "u", title: "u" }],
  ["a title that is a number", { id: "1", url: "u", title: 7 }, { id: "1", url: "u", title: "u" }],
  ["no url", { id: "1", title: "t" }, { id: "1", url: "", title: "t" }],
  ["a url that is a list", { id: "1", url: [] }, { id: "1", url: "", title: "" }],
  [
    "half an emoji",
    { id: "1\uD83E", url: "u\uD83E" },
    { id: "1\uFFFD", url: "u\uFFFD", title: "u\uFFFD" },
  ],
  ["NUL", { id: "1", url: "u", title: "a\0" }, { id: "1", url: "u", title: "a\uFFFD" }],
])("a tab with %s is shown all the same", (_name, page, shown) => {
  expect(readTabs([page], [])).toEqual([{ ...shown, ...PERSON, created_at: null }]);
});

test("a time that is no time is not shown", () => {
  for (const created_at of ["yesterday", "2026-02-30T00:00:00Z", 7, null])
    expect(readTabs([{ url: "u", created_at }], [])).toMatchObject([{ created_at: null }]);
});

test("what is no tab is passed over, and those behind it keep their authors", () => {
  const pages = [null, 7, [], true, { url: "u" }];
  expect(readTabs(pages, [filed("pages", 4)])).toMatchObject([{ url: "u", created_by: "agent" }]);
});

test("a note is shown with its text and who added it", () => {
  const notes = [
    { id: "1", text: "oat", created_at: FILED, created_by: "agent" },
    "a plain text",
    { id: "x", text: "two litres" },
    { text: 7 },
    { text: "half \uD83E" },
    null,
  ];
  expect(readNotes(notes, [filed("notes", 2), filed("pages", 0)])).toEqual([
    { id: "1", text: "oat", ...PERSON, created_at: FILED },
    { id: null, text: "a plain text", ...PERSON, created_at: null },
    { id: "x", text: "two litres", ...AGENT, created_at: FILED },
    { id: null, text: "", ...PERSON, created_at: null },
    { id: null, text: "half \uFFFD", ...PERSON, created_at: null },
  ]);
});

test("tabs and notes are read from lists of any kind, and from none", () => {
  for (const other of [undefined, null, "a", 7, {}])
    expect(readChildren({ pages: other, notes: other }, [])).toEqual({ tabs: [], notes: [] });
});
