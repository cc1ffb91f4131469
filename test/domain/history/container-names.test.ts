import { expect, test } from "bun:test";
import { containerKey, containersIn, withNames } from "../../../src/domain/history/comparison.ts";

const NAMES = new Map([[containerKey("project_id", "f"), "Travel"]]);

test("Folders and buckets are shown by name, or by id if they have none", () => {
  expect(withNames({ field: "project_id", from: "f", to: "g" }, NAMES)).toEqual({
    field: "project_id",
    from: "Travel",
    to: "g (no longer exists)",
  });
  expect(withNames({ field: "bucket_id", from: null, to: "f" }, NAMES)).toEqual({
    field: "bucket_id",
    from: null,
    to: "f",
  });
});

test("Fields other than folder and bucket stay as they are", () => {
  const move = { field: "title", from: "f", to: null };
  expect([withNames(move, NAMES), containersIn([move])]).toEqual([move, []]);
});

test("The containers in a change are those that it leads from and to", () => {
  expect(containersIn([{ field: "bucket_id", from: "a", to: null }])).toEqual([
    { field: "bucket_id", id: "a" },
  ]);
});
