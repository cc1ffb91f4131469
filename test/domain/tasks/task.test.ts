import { expect, test } from "bun:test";
import { PERSON } from "../../../src/domain/people/caller.ts";
import {
  CLOSED_STATUSES,
  isClosed,
  isStatus,
  readChildren,
  readTask,
  taskRow,
} from "../../../src/domain/tasks/task.ts";
import { NOON } from "../../support/server.ts";

const EMPTY = { title: "", status: "todo", colour: null, folderId: null, bucketId: null };

test("a task's fields are read from its payload", () => {
  const payload = {
    title: "Buy milk",
    status: "blocked",
    colour: "#fc0",
    project_id: "p1",
    bucket_id: "b1",
    pages: [],
    starred: true,
  };
  expect(readTask(payload)).toEqual({
    title: "Buy milk",
    status: "blocked",
    colour: "#fc0",
    folderId: "p1",
    bucketId: "b1",
  });
});

test("a payload that holds nothing, or other types, reads as an untitled task to do", () => {
  expect(readTask({})).toEqual(EMPTY);
  for (const other of [null, 7, true, [], {}, ""])
    expect(
      readTask({ title: other, status: other, colour: other, project_id: other, bucket_id: other }),
    ).toEqual(EMPTY);
});

test("text that SQLite cannot hold is replaced in what is shown", () => {
  const text = "a\uD83E\0";
  expect(
    readTask({ title: text, status: text, colour: text, project_id: text, bucket_id: text }),
  ).toEqual({
    title: "a\uFFFD\uFFFD",
    status: "a\uFFFD\uFFFD",
    colour: "a\uFFFD\uFFFD",
    folderId: "a\uFFFD\uFFFD",
    bucketId: "a\uFFFD\uFFFD",
  });
});

test("a task's row shows every field, null where there is none, its folder under both names", () => {
  const meta = {
    id: "t1",
    author: { created_by: "agent", created_by_key: "bot" },
    createdAt: NOON,
    updatedAt: NOON + 1,
    deletedAt: null,
  } as const;
  expect(taskRow(meta, {})).toEqual({
    id: "t1",
    title: "",
    status: "todo",
    colour: null,
    folder: null,
    project_id: null,
    bucket_id: null,
    created_by: "agent",
    created_by_key: "bot",
    created_at: "2026-03-04T12:00:00.000Z",
    updated_at: "2026-03-04T12:00:00.001Z",
    deleted_at: null,
    tab_count: 0,
    note_count: 0,
  });
  const payload = { project_id: "p1", pages: ["u", { url: "v" }, 7], notes: [{ text: "n" }, null] };
  const person = { ...meta, author: PERSON, deletedAt: "2026-03-04T12:00:00.001Z" };
  expect(taskRow(person, payload)).toMatchObject({
    folder: "p1",
    project_id: "p1",
    created_by: "person",
    created_by_key: null,
    deleted_at: "2026-03-04T12:00:00.001Z",
    tab_count: 2,
    note_count: 1,
  });
});

test("tabs and notes are read from lists of any kind, and from none", () => {
  for (const other of [undefined, null, "a", 7, {}])
    expect(readChildren({ pages: other, notes: other }, [])).toEqual({ tabs: [], notes: [] });
});

test("a task is closed by exactly the statuses that close it", () => {
  expect(CLOSED_STATUSES.every(isClosed)).toBe(true);
  const closed = ["done", "completed", "closed", "cancelled", "canceled", "archived"];
  expect(CLOSED_STATUSES.toSorted()).toEqual(closed.toSorted());
  const open = ["todo", "in_progress", "blocked", "in_review", "Done", "done ", "waiting", ""];
  expect(open.some(isClosed)).toBe(false);
});

test.each([
  ["a known one", "todo", true],
  ["one of the extension's own", "wartet auf Ann 🥛", true],
  ["64 characters", "x".repeat(64), true],
  ["65 characters", "x".repeat(65), false],
  ["nothing", "", false],
  ["a line end", "to\ndo", false],
  ["a line separator", "to\u2028do", false],
])("whether %s may be a status", (_name, text, taken) => {
  expect(isStatus(text)).toBe(taken);
});
