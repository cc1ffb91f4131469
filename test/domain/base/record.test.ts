import { expect, test } from "bun:test";
import { isTable, syncRow, TABLES } from "../../../src/domain/base/record.ts";

test("The three tables of the API are known, and no others", () => {
  expect(TABLES).toEqual(["sync_tasks", "sync_projects", "sync_buckets"]);
  expect(TABLES.every(isTable)).toBe(true);
  const others = ["sync_tabs", "SYNC_TASKS", "", "__proto__", "0", "length", 0, null, undefined];
  expect(others.some(isTable)).toBe(false);
});

test("A row is JSON, and its payload is copied as stored", () => {
  const payload = '{"n":1.0,"big":12345678901234567890,"half":"\\ud83e"}';
  const text = syncRow(
    {
      id: 'a"b\\c\u2028',
      updatedAt: "2026-03-04T12:00:00+01:00",
      deletedAt: null,
      payload,
      createdBy: "agent",
      createdByKey: "scout",
      changedAt: 1_772_622_000_000,
    },
    "0123456789ab",
  );
  expect(text).toContain(`"payload":${payload},`);
  expect(JSON.parse(text)).toEqual({
    id: 'a"b\\c\u2028',
    updated_at: "2026-03-04T12:00:00+01:00",
    deleted_at: null,
    payload: JSON.parse(payload) as unknown,
    created_by: "agent",
    created_by_key: "scout",
    rev: "mmbxdcw0-0123456789ab",
  });
});

test("A tombstone's row says when it was deleted, and a person's names no key", () => {
  const deletedAt = "2026-03-04T12:00:00.000Z";
  const row = {
    id: "t1",
    updatedAt: deletedAt,
    deletedAt,
    payload: "{}",
    createdBy: "person",
    createdByKey: null,
    changedAt: 0,
  };
  expect(JSON.parse(syncRow(row, "0123456789ab"))).toEqual({
    id: "t1",
    updated_at: deletedAt,
    deleted_at: deletedAt,
    payload: {},
    created_by: "person",
    rev: "0-0123456789ab",
  });
});
