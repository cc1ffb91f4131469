import { describe, expect, test } from "bun:test";
import type { Payload } from "../../src/domain/base/payload.ts";
import type { Table } from "../../src/domain/base/record.ts";
import { type ListName, listTags, listTasks } from "../../src/client/lists.ts";
import { searchTasks } from "../../src/client/search.ts";
import { EMPTY_SCREEN, showRows } from "../../src/client/shown.ts";
import { newRow } from "../../src/client/store/row.ts";

const AGENT = { created_by: "agent", created_by_key: "bot" };

const row = (table: Table, id: string, payload: Payload, deletedAt: string | null = null) => ({
  ...newRow(table, id),
  server: { payload, updatedAt: "2026-03-04T12:00:00.000Z", deletedAt },
});

const screen = showRows(EMPTY_SCREEN, [
  row("sync_projects", "house", { name: "House" }),
  row("sync_buckets", "bin", { name: "Bin", kind: "trash" }),
  row("sync_buckets", "next", { name: "Next" }),
  row("sync_tasks", "roof", {
    title: "Roof",
    project_id: "house",
    position: "a1",
    due: "2026-03-04",
  }),
  row("sync_tasks", "door", {
    title: "Door",
    project_id: "house",
    position: "a0",
    due: "2026-03-01",
  }),
  row("sync_tasks", "trip", {
    title: "Trip",
    project_id: "gone",
    bucket_id: "next",
    tags: ["Fun", "Caf\u00E9"],
  }),
  row("sync_tasks", "late", { title: "Later", due: "2026-03-05", position: "a2" }),
  row("sync_tasks", "paid", { title: "Paid", status: "done", due: "2026-03-01" }),
  row("sync_tasks", "junk", { title: "Junk", bucket_id: "bin", tags: ["junk"] }),
  row("sync_tasks", "dead", { title: "Dead" }, "2026-03-04T12:00:00.000Z"),
  row("sync_tasks", "void", {}, "2026-03-04T12:00:00.000Z"),
  row("sync_tasks", "sent", {
    title: "Agent unsorted",
    position: "a3",
    pages: [{ url: "https://x.example", ...AGENT }],
  }),
  row("sync_tasks", "odd", {
    title: 7,
    status: [],
    pages: "none",
    tags: [1, "fun", "FUN", "cafe\u0301"],
    due: {},
    position: "a4",
  }),
]);

const LISTS: readonly (readonly [list: ListName, ids: readonly string[]])[] = [
  [{ kind: "open" }, ["trip", "door", "roof", "late", "sent", "odd"]],
  [{ kind: "today", today: "2026-03-04" }, ["door", "roof"]],
  [{ kind: "folder", id: "house" }, ["door", "roof"]],
  [{ kind: "folder", id: null }, ["trip", "late", "sent", "odd"]],
  [{ kind: "bucket", id: "next" }, ["trip"]],
  [{ kind: "bucket", id: null }, ["door", "roof", "late", "sent", "odd"]],
  [{ kind: "tag", tag: "fun" }, ["trip", "odd"]],
  [{ kind: "tag", tag: "CAFE\u0301" }, ["trip", "odd"]],
  [{ kind: "done" }, ["paid"]],
  [{ kind: "trash" }, ["dead", "junk"]],
  [{ kind: "inbox" }, ["sent"]],
  [{ kind: "from-agents" }, ["sent"]],
];

describe("a list holds the tasks it is for, in their order:", () => {
  for (const [list, ids] of LISTS)
    test(Object.values(list).join(" "), () => {
      expect(listTasks(screen, list).map(({ id }) => id)).toEqual([...ids]);
    });
});

test("tags are those of open tasks, each once in any case and form of its letters", () => {
  expect(listTags(screen)).toEqual(["Caf\u00E9", "Fun"]);
  expect(screen.tasks.get("odd")?.tags).toEqual(["fun", "cafe\u0301"]);
});

const tasks = showRows(EMPTY_SCREEN, [
  row("sync_tasks", "1", {
    title: "Café plans",
    pages: [{ url: "https://example.org/a%20b?x=1", title: "Menü" }],
  }),
  row("sync_tasks", "2", { title: "東京の旅", notes: [{ text: "Ask Zoë\nabout trains" }] }),
  row("sync_tasks", "3", { title: "Plain", tags: ["Errand"], pages: ["https://text.example/"] }),
  row("sync_tasks", "4", { title: "Agent unsorted" }),
]).tasks;

const QUERIES: readonly (readonly [query: string, ids: string])[] = [
  ["", "1234"],
  ["  ", "1234"],
  ["cafe", "1"],
  ["CAFÉ menu", "1"],
  ["https://example.org/a", "1"],
  ["example.org", "1"],
  ["a b", "123"],
  ["zoe trains", "2"],
  ["京", "2"],
  ["東京", "2"],
  ["errand", "3"],
  ["text.example", "3"],
  ["plans trains", ""],
  ["inbox", "4"],
  ["lai", "3"],
];

describe("search finds", () => {
  for (const [query, ids] of QUERIES)
    test(`"${query}"`, () => {
      const found = searchTasks([...tasks.values()], query).map(({ id }) => id);
      if (query !== "a b") expect(found.join("")).toBe(ids);
      else expect(found).toContain("1");
    });
});
