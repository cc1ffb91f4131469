import { expect, test } from "bun:test";
import { PERSON } from "../../../src/domain/people/account.ts";
import { taskRow } from "../../../src/domain/tasks/task-fields.ts";
import { NO_COLUMNS, taskColumns, valueText } from "../../../src/domain/tasks/projection.ts";
import type { Payload } from "../../../src/domain/base/payload.ts";
import { NOON } from "../../support/server.ts";

const META = {
  id: "t1",
  author: PERSON,
  createdAt: NOON,
  updatedAt: NOON,
  deletedAt: null,
} as const;
const columnsOf = (payload: Payload) => taskColumns(taskRow(META, payload));
const colourOf = (payload: Payload) => taskRow(META, payload).colour;

const EMPTY = {
  title: "",
  status: "todo",
  folderId: null,
  bucketId: null,
  due: null,
  tags: null,
};

test("A task's columns are read from its payload", () => {
  const payload = {
    title: "Buy milk",
    status: "blocked",
    colour: "#fc0",
    project_id: "p1",
    bucket_id: "b1",
    due: "2026-02-28",
    tags: ["home", "work"],
    pages: [],
    starred: true,
  };
  expect(columnsOf(payload)).toEqual({
    title: "Buy milk",
    status: "blocked",
    folderId: "p1",
    bucketId: "b1",
    due: "2026-02-28",
    tags: '["home","work"]',
  });
  expect(colourOf(payload)).toBe("#fc0");
});

test("A payload that is empty or holds other types reads as an untitled task to do", () => {
  expect(columnsOf({})).toEqual(EMPTY);
  for (const other of [null, 7, true, [], {}, ""]) {
    const payload = { title: other, status: other, colour: other, due: other, tags: other };
    expect(columnsOf({ ...payload, project_id: other, bucket_id: other })).toEqual(EMPTY);
    expect(colourOf(payload)).toBeNull();
  }
});

test("A record that is not a task has the same columns, all empty", () => {
  expect(NO_COLUMNS).toEqual({ ...EMPTY, status: null });
});

test("Text that SQLite cannot hold is replaced in what is shown", () => {
  const text = "a\uD83E\0";
  const shown = "a\uFFFD\uFFFD";
  const payload = {
    title: text,
    status: text,
    colour: text,
    project_id: text,
    bucket_id: text,
    tags: [text],
  };
  expect(columnsOf(payload)).toEqual({
    title: shown,
    status: shown,
    folderId: shown,
    bucketId: shown,
    due: null,
    tags: JSON.stringify([shown]),
  });
  expect(colourOf(payload)).toBe(shown);
});

test("A task's row shows every field, null if there is none, and its folder under both names", () => {
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
    due: null,
    tags: [],
    position: null,
    folder_name: null,
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

const rowOf = (payload: Payload) => taskRow(META, payload);

test.each([
  ["2026-01-31", "2026-01-31"],
  ["2024-02-29", "2024-02-29"],
  ["2026-02-29", null],
  ["2026-13-01", null],
  ["2026-1-31", null],
  ["2026-01-31T00:00:00Z", null],
  [20260131, null],
])("A task with the stored date %p is due on %p", (due, shown) => {
  expect(rowOf({ due }).due).toBe(shown);
});

test.each<[unknown, readonly string[]]>([
  [
    ["a", "b"],
    ["a", "b"],
  ],
  [
    ["b", "a", "b"],
    ["b", "a"],
  ],
  [["a", 5, null, "", {}, ["b"]], ["a"]],
  [["x".repeat(51), "x".repeat(50)], ["x".repeat(50)]],
  [["x".repeat(49) + "🥛"], ["x".repeat(49)]],
  [
    Array.from({ length: 30 }, (_, at) => `t${at}`),
    Array.from({ length: 20 }, (_, at) => `t${at}`),
  ],
  ["a", []],
])("Of the tags %j a task shows %j", (tags, shown) => {
  expect(rowOf({ tags }).tags).toEqual(shown);
});

test("A task's position is text like any other", () => {
  expect(rowOf({ position: "a0V" }).position).toBe("a0V");
  expect(rowOf({ position: 5 }).position).toBeNull();
});

test.each([
  ["title", null, null],
  ["title", "a", "a"],
  ["title", ["a", "b"], '["a","b"]'],
  ["tags", ["a", "b"], "a, b"],
  ["tags", [], null],
  ["tags", ["a", 5], '["a",5]'],
  ["tags", "a", "a"],
  ["due", "2026-01-31", "2026-01-31"],
] as const)("The %s %j reads as %j", (name, value, words) => {
  expect(valueText(name, value)).toBe(words);
});
