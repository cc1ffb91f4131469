import { expect, test } from "bun:test";
import { isTrashBucket } from "../../../src/domain/tasks/task.ts";
import { authorOf, type Caller, PERSON } from "../../../src/domain/people/account.ts";
import { folderName, folderRow } from "../../../src/domain/tasks/folder.ts";
import { NOON } from "../../support/server.ts";

const META = { id: "p1", author: PERSON, createdAt: NOON, updatedAt: NOON + 1, deletedAt: null };

test("A folder's row shows its name, its colour and its author", () => {
  expect(folderRow(META, { name: "Home", colour: "#fc0", open: true })).toEqual({
    id: "p1",
    name: "Home",
    colour: "#fc0",
    created_by: "person",
    created_by_key: null,
    created_at: "2026-03-04T12:00:00.000Z",
    updated_at: "2026-03-04T12:00:00.001Z",
    deleted_at: null,
  });
});

test("A payload that is empty or holds other types reads as a folder without a name", () => {
  for (const other of [undefined, null, 7, [], {}, ""]) {
    expect(folderName({ name: other })).toBe("");
    expect(folderRow(META, { name: other, colour: other })).toMatchObject({
      name: "",
      colour: null,
    });
  }
  expect(folderName({ name: "Home \uD83C" })).toBe("Home \uFFFD");
});

test.each([
  ["its kind", "b1", { kind: "trash" }, true],
  ["its id, even without a record", "trash", null, true],
  ["its id, whatever its kind", "trash", { kind: "inbox" }, true],
  ["another kind", "b1", { kind: "inbox" }, false],
  ["a kind in another case", "b1", { kind: "Trash" }, false],
  ["a kind that is a list", "b1", { kind: ["trash"] }, false],
  ["its name only", "b1", { name: "trash" }, false],
  ["an id in another case", "Trash", {}, false],
  ["no record", "b1", null, false],
])("Whether a bucket is a trash bucket, given %s", (_name, id, payload, trash) => {
  expect(isTrashBucket(id, payload)).toBe(trash);
});

test("A caller with a key is an agent under the key's name, and a session is a person", () => {
  const caller = { kind: "api_key", id: "k1", name: "bot" } as Caller;
  expect(authorOf(caller)).toEqual({ created_by: "agent", created_by_key: "bot" });
  expect(authorOf({ ...caller, kind: "session", name: "laptop" })).toEqual({
    created_by: "person",
    created_by_key: null,
  });
});
