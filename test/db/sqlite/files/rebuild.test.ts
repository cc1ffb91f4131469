import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrateDatabase } from "../../../../src/db/sqlite/files/migrate.ts";
import { formatInstant } from "../../../../src/domain/base/instant.ts";
import { pushChanges } from "../../../support/rules.ts";
import { NOON } from "../../../support/server.ts";
import { nextMigrations } from "../../../support/db/migrations.ts";
import { accountFor, ask, databaseFile, openForTest, recordOf } from "../../../support/db/store.ts";

/** A marker in a migration's SQL, as in this program's own migrations. */
const REBUILDS = "SELECT 1\n--> rebuild-projections";
const PROJECTION = "title, status, folder_id, bucket_id, trashed, live, open, row";

/** Two accounts with tasks, a folder and buckets of every kind. */
const usedDirectory = async (): Promise<string> => {
  const store = await openForTest();
  for (const email of ["ann@example.org", "bob@example.org"]) {
    const id = await accountFor(store, email);
    const records = [
      recordOf("b1", NOON, { kind: "trash" }, { table: "sync_buckets" }),
      recordOf("p1", NOON, { name: "Travel", colour: "teal" }, { table: "sync_projects" }),
      recordOf("t1", NOON, { title: "a", status: "todo", project_id: "p1", pages: ["u"] }),
      recordOf("t2", NOON, { title: "b", status: "done", bucket_id: "b1" }),
      recordOf("t3", NOON, { title: "c", bucket_id: "b2" }),
      recordOf("t4", NOON, { title: "d" }, { deleted_at: formatInstant(NOON) }),
      recordOf("t5", NOON, { title: 5, notes: {} }),
    ];
    await pushChanges(store, id, null, records, NOON);
  }
  await store.close();
  return store.directory;
};

const migrate = (directory: string, statements: readonly string[]): readonly string[] => {
  const lines: string[] = [];
  const file = databaseFile(directory);
  const database = new Database(file);
  try {
    const folder = nextMigrations(statements);
    migrateDatabase(database, file, new Date(NOON), folder, (line) => lines.push(line));
  } finally {
    database.close();
  }
  return lines;
};

const recordsOf = (directory: string) =>
  ask<object>(directory, "SELECT * FROM record ORDER BY rowid");

test("A migration that asks for it projects every task and folder again, and changes nothing else", async () => {
  const directory = await usedDirectory();
  const before = recordsOf(directory);
  ask(
    directory,
    `UPDATE record SET title = 'old', status = NULL, folder_id = NULL, bucket_id = NULL, trashed = 1, live = 0,
       open = 1, row = '{}' WHERE tbl != 'sync_buckets'`,
  );
  expect(migrate(directory, [REBUILDS])).toEqual([]);
  expect(recordsOf(directory)).toEqual(before);
});

test("A migration may rebuild the stored rows and do nothing else", async () => {
  const directory = await usedDirectory();
  const before = recordsOf(directory);
  ask(directory, "UPDATE record SET row = '{}' WHERE tbl != 'sync_buckets'");
  migrate(directory, ["--> rebuild-projections"]);
  expect(recordsOf(directory)).toEqual(before);
});

test("A migration that does not ask for it leaves the projections as they are", async () => {
  const directory = await usedDirectory();
  ask(directory, "UPDATE record SET row = '{}'");
  const before = ask(directory, `SELECT ${PROJECTION} FROM record`);
  migrate(directory, ["SELECT 1"]);
  expect(ask(directory, `SELECT ${PROJECTION} FROM record`)).toEqual(before);
});

test("A record that cannot be projected undoes the whole migration", async () => {
  const directory = await usedDirectory();
  ask(directory, "UPDATE record SET row = '{}' WHERE id = 't1'");
  ask(directory, "UPDATE record SET payload = '{' WHERE id = 't5' AND account_id = 2");
  const before = recordsOf(directory);
  const add = `ALTER TABLE record ADD COLUMN more text\n--> rebuild-projections`;
  expect(() => migrate(directory, [add])).toThrow("JSON");
  expect(recordsOf(directory)).toEqual(before);
});

test("A rebuild of many records is announced to the person waiting", async () => {
  const store = await openForTest();
  const id = await accountFor(store);
  for (let push = 0; push < 10; push += 1) {
    const tasks = Array.from({ length: 500 }, (_, at) => recordOf(`t${push}-${at}`, NOON, {}));
    await pushChanges(store, id, null, tasks, NOON);
  }
  await store.close();
  const { directory } = store;
  const before = recordsOf(directory);
  ask(directory, "UPDATE record SET row = '{}'");
  expect(migrate(directory, [REBUILDS])).toEqual([
    "Updating the stored rows of 5000 records. This happens only once.",
  ]);
  expect(recordsOf(directory)).toEqual(before);
});
