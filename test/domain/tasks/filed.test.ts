import { expect, test } from "bun:test";
import { personsChildren } from "../../../src/domain/tasks/filed.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const FILED = "2026-03-04T12:00:00.000Z";
const filed = { id: ID, text: "call", created_by: "person", created_at: FILED };

test("a person's note that was filed over REST is known by the server's id, its author and its time", () => {
  expect(personsChildren({ notes: [filed] })).toEqual([
    { list: "notes", id: ID, key: null, person: true, createdAt: FILED },
  ]);
});

test.each<[string, object]>([
  ["has no time", { ...filed, created_at: undefined }],
  ["has a time that does not exist", { ...filed, created_at: "2026-02-30T12:00:00.000Z" }],
  ["has no id", { ...filed, id: undefined }],
  ["has an id that a device made", { ...filed, id: "n1" }],
  ["is an agent's", { ...filed, created_by: "agent" }],
])("one that %s was not filed so", (_name, note) => {
  expect(personsChildren({ notes: [note] })).toEqual([]);
});
