import { expect, test } from "bun:test";
import type { FiledChild } from "../../../src/domain/tasks/child.ts";
import { readNotes } from "../../../src/domain/tasks/note.ts";
import { readTabs, urlRefusal } from "../../../src/domain/tasks/tab.ts";

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

test("A tab is shown with its URL, its title and its author", () => {
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

test("The author of a tab is never read from the payload", () => {
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
  ["a plain URL", "u", { id: null, url: "u", title: "u" }],
  ["no id", { url: "u", title: "t" }, { id: null, url: "u", title: "t" }],
  ["an id that is a number", { id: 7, url: "u", title: "t" }, { id: null, url: "u", title: "t" }],
  ["no title", { id: "1", url: "u" }, { id: "1", url: "u", title: "u" }],
  ["an empty title", { id: "1", url: "u", title: "" }, { id: "1", url: "u", title: "u" }],
  ["a title that is a number", { id: "1", url: "u", title: 7 }, { id: "1", url: "u", title: "u" }],
  ["no url", { id: "1", title: "t" }, { id: "1", url: "", title: "t" }],
  ["a URL that is a list", { id: "1", url: [] }, { id: "1", url: "", title: "" }],
  [
    "half an emoji",
    { id: "1\uD83E", url: "u\uD83E" },
    { id: "1\uFFFD", url: "u\uFFFD", title: "u\uFFFD" },
  ],
  ["NUL", { id: "1", url: "u", title: "a\0" }, { id: "1", url: "u", title: "a\uFFFD" }],
])("A tab with %s is still shown", (_name, page, shown) => {
  expect(readTabs([page], [])).toEqual([{ ...shown, ...PERSON, created_at: null }]);
});

test("A malformed time is not shown", () => {
  for (const created_at of ["yesterday", "2026-02-30T00:00:00Z", 7, null])
    expect(readTabs([{ url: "u", created_at }], [])).toMatchObject([{ created_at: null }]);
});

test("Items that are not tabs are ignored, and those after them keep their authors", () => {
  const pages = [null, 7, [], true, { url: "u" }];
  expect(readTabs(pages, [filed("pages", 4)])).toMatchObject([{ url: "u", created_by: "agent" }]);
});

test("A note is shown with its text and its author", () => {
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

test.each([
  "http://example.org",
  "https://example.org/a?b=c#d",
  "HTTPS://EXAMPLE.ORG/",
  "https://münchen.example/straße",
  "http://127.0.0.1:3625/",
  "https://[::1]/",
  "https://example.org/@ann",
  "https://example.org/?next=https://bob:pw@example.org",
])("A key may file %s", (url) => {
  expect(urlRefusal(url)).toBeNull();
});

const SCHEME = "must be a full http:// or https:// address";
const USER = "must not contain a user name or password";
const SPACES = "must not contain spaces or control characters. Percent-encode them";

test.each([
  ["javascript:alert(1)", SCHEME],
  ["JavaScript://example.org/%0Aalert(1)", SCHEME],
  ["data:text/html,<script>", SCHEME],
  ["file:///etc/passwd", SCHEME],
  ["ftp://example.org/", SCHEME],
  ["chrome://settings", SCHEME],
  ["about:blank", SCHEME],
  ["view-source:https://example.org", SCHEME],
  ["example.org", SCHEME],
  ["//example.org", SCHEME],
  ["http:example.org", SCHEME],
  ["https://", SCHEME],
  ["https://exa<mple.org", SCHEME],
  ["", SCHEME],
  ["https://ann@example.org/", USER],
  ["https://ann:pw@example.org/", USER],
  ["https://:pw@example.org/", USER],
  ["https://bank.example\\@evil.example:x@y/", null],
  ["https://exa mple.org/", SPACES],
  ["java\nscript:alert(1)", SPACES],
  ["https://example.org/\t", SPACES],
  ["\u0000https://example.org/", SPACES],
  ["https://example.org/\u00A0", SPACES],
  ["https://example.org/\u2028", SPACES],
])("A key that files %j is told why not", (url, problem) => {
  expect(urlRefusal(url)).toBe(problem);
});
