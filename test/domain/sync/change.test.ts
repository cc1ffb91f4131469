import { expect, test } from "bun:test";
import { type Change, isInvalid, parseChange } from "../../../src/domain/sync/change.ts";
import { MAX_PAYLOAD } from "../../../src/domain/base/payload.ts";

const RECORD = {
  table: "sync_tasks",
  id: "t1",
  updated_at: "2026-03-04T12:00:00+01:00",
  payload: { title: "Buy milk" },
};

const read = (fields: object): Change => {
  const change = parseChange({ ...RECORD, ...fields });
  if (isInvalid(change)) throw new Error(change.error);
  return change;
};

test("A change keeps the device's own text of its stamp beside the instant that it means", () => {
  expect(parseChange(RECORD)).toEqual({
    table: "sync_tasks",
    id: "t1",
    updated: Date.parse("2026-03-04T11:00:00.000Z"),
    updatedAt: "2026-03-04T12:00:00+01:00",
    deletedAt: null,
    payload: { title: "Buy milk" },
    payloadText: '{"title":"Buy milk"}',
    base: null,
    expected: null,
    baseRev: null,
    expectedRev: null,
    changedAt: new Map(),
  });
});

test("A change may name the version on which it was made; anything but text there is ignored", () => {
  const base = "2026-03-04T11:00:00Z";
  expect(read({ base_updated_at: base }).base).toBe(base);
  for (const other of [null, 7, {}]) expect(read({ base_updated_at: other }).base).toBeNull();
});

test("Unknown fields beside the record's own are ignored", () => {
  expect(read({ created_by: "agent", device: "laptop", error: "none" })).toEqual(read({}));
});

const T = "2026-03-04T11:00:00.000Z";

test.each([
  ["beside the payload", { deleted_at: T }, T],
  ["beside it, in another offset", { deleted_at: "2026-03-04T12:00:00+01:00" }, T],
  ["beside it, without any payload", { deleted_at: T, payload: undefined }, T],
  ["beside it, with a null payload", { deleted_at: T, payload: null }, T],
  ["inside the payload", { payload: { deleted_at: T } }, T],
  ["inside it, in another offset", { payload: { deleted_at: "2026-03-04T12:00:00+01:00" } }, T],
  ["null beside it, whatever is inside", { deleted_at: null, payload: { deleted_at: T } }, null],
  ["null inside", { payload: { deleted_at: null } }, null],
  ["a word inside", { payload: { deleted_at: "yesterday" } }, null],
  ["a number inside", { payload: { deleted_at: 1 } }, null],
  ["nowhere", {}, null],
])("The time of a deletion is read from deleted_at: %s", (_name, fields, deletedAt) => {
  expect(read(fields).deletedAt).toBe(deletedAt);
});

test("A tombstone without a payload gets an empty one", () => {
  expect(read({ deleted_at: T, payload: undefined }).payloadText).toBe("{}");
});

test("A deleted_at inside the payload stays there", () => {
  const payload = { title: "Buy milk", deleted_at: T };
  expect(read({ payload }).payloadText).toBe(JSON.stringify(payload));
});

const deep = (levels: number): object => (levels === 1 ? {} : { in: deep(levels - 1) });
const TABLE = "table must be one of sync_tasks, sync_projects, sync_buckets.";
const ID =
  'id must be 1 to 255 characters long, without control characters. It must not be "." or "..".';
const UPDATED = "updated_at must be a valid RFC 3339 time, such as 2026-01-31T09:30:00.000Z.";
const DELETED = "deleted_at must be a valid RFC 3339 time or null.";
const PAYLOAD = "payload must be an object.";

test.each([
  ["of an unknown table", { table: "sync_tabs" }, TABLE],
  ["of a table name that is a property of JavaScript objects", { table: "__proto__" }, TABLE],
  ["without a table", { table: undefined }, TABLE],
  ["without an id", { id: undefined }, ID],
  ["with an empty id", { id: "" }, ID],
  ["with a number as its id", { id: 7 }, ID],
  ["with an id that is too long", { id: "x".repeat(256) }, ID],
  ["with a line break in its id", { id: "a\nb" }, ID],
  ["with two dots as its id", { id: ".." }, ID],
  ["without updated_at", { updated_at: undefined }, UPDATED],
  ["of 30 February", { updated_at: "2026-02-30T00:00:00Z" }, UPDATED],
  ["with a number as updated_at", { updated_at: 1_772_625_600_000 }, UPDATED],
  ["with a word as deleted_at", { deleted_at: "yesterday" }, DELETED],
  ["with true as deleted_at", { deleted_at: true }, DELETED],
  [
    "with an empty deleted_at, even if there is one inside",
    { deleted_at: "", payload: { deleted_at: T } },
    DELETED,
  ],
  ["without a payload", { payload: undefined }, PAYLOAD],
  ["with a null payload", { payload: null }, PAYLOAD],
  ["with a list as its payload", { payload: [] }, PAYLOAD],
  ["with text as its payload", { payload: "{}" }, PAYLOAD],
  ["that is a tombstone with a list as its payload", { deleted_at: T, payload: [] }, PAYLOAD],
  [
    "that is nested too deep",
    { payload: deep(65) },
    "payload must not be nested more than 64 levels deep.",
  ],
  [
    "with an infinite number",
    { payload: { n: Number.POSITIVE_INFINITY } },
    "payload contains a number that is too large to store exactly.",
  ],
  [
    "that is too large",
    { payload: { t: "a".repeat(MAX_PAYLOAD - 7) } },
    "payload must be at most 1 MiB of JSON.",
  ],
])("A record %s is invalid, with the reason", (_name, fields, error) => {
  const { table, id } = { ...RECORD, ...fields };
  expect(parseChange({ ...RECORD, ...fields })).toEqual({
    table: table ?? null,
    id: typeof id === "string" ? id : null,
    error,
  });
});

test.each([
  ["null", null],
  ["a list", []],
  ["text", "{}"],
  ["a number", 7],
])("%s is not a record at all", (_name, value) => {
  expect(parseChange(value)).toEqual({
    table: null,
    id: null,
    error: "A change record must be an object.",
  });
});

test("A malformed id is named in a form that can be sent in the reply", () => {
  expect(parseChange({ ...RECORD, id: "a\uD800" })).toEqual({
    table: "sync_tasks",
    id: "a\uFFFD",
    error: ID,
  });
});

test("The deepest and the largest allowed payloads are accepted", () => {
  expect(isInvalid(parseChange({ ...RECORD, payload: deep(64) }))).toBe(false);
  const largest = { t: "a".repeat(MAX_PAYLOAD - 8) };
  expect(isInvalid(parseChange({ ...RECORD, payload: largest }))).toBe(false);
});

test("A change may say which version it expects, or that it expects none", () => {
  const expected = "2026-03-04T11:00:00Z";
  expect(read({}).expected).toBeNull();
  expect(read({ expected_updated_at: expected }).expected).toBe(Date.parse(expected));
  expect(read({ expected_updated_at: null }).expected).toBe(Number.NEGATIVE_INFINITY);
  for (const other of ["soon", 7, {}])
    expect(parseChange({ ...RECORD, expected_updated_at: other })).toMatchObject({
      error: "expected_updated_at must be a valid RFC 3339 time or null.",
    });
});
