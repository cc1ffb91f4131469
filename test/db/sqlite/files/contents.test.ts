import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { contentsOf } from "../../../../src/db/sqlite/files/copy.ts";
import { migrateDatabase } from "../../../../src/db/sqlite/files/migrate.ts";
import { NOON } from "../../../support/server.ts";
import { firstMigrations } from "../../../support/db/migrations.ts";
import {
  accountFor,
  ask,
  databaseFile,
  directoryForTest,
  openForTest,
  pushTask,
} from "../../../support/db/store.ts";

test("Contents are counted: accounts, tasks that are neither deleted nor in the trash, the newest change", async () => {
  const store = await openForTest();
  const counted = () => {
    const database = new Database(databaseFile(store.directory), { readonly: true });
    try {
      return contentsOf(database);
    } finally {
      database.close();
    }
  };
  expect(counted()).toEqual({ accounts: 0, tasks: 0, changedAt: null });
  const ann = await accountFor(store);
  await accountFor(store, "bob@example.org");
  expect(counted()).toEqual({ accounts: 2, tasks: 0, changedAt: null });
  await pushTask(store, ann, "t1", NOON);
  await pushTask(store, ann, "t2", NOON + 1_000, { title: "t2", bucket_id: "trash" });
  expect(counted()).toEqual({ accounts: 2, tasks: 1, changedAt: NOON + 1_000 });
});

test.each([1, 2, 3])("A database after the first %d migrations can be counted too", (count) => {
  const file = databaseFile(directoryForTest());
  const database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  migrateDatabase(database, file, new Date(NOON), firstMigrations(count));
  expect(contentsOf(database)).toEqual({ accounts: 0, tasks: 0, changedAt: null });
  database.close();
});

test("Tasks are counted in an index, not in their rows", async () => {
  const store = await openForTest();
  const plan = ask<{ detail: string }>(
    store.directory,
    "EXPLAIN QUERY PLAN SELECT count(*) FROM record WHERE tbl = 'sync_tasks' AND live = 1",
  );
  expect(plan.map(({ detail }) => detail)).toEqual([
    "SCAN record USING COVERING INDEX record_open",
  ]);
});

test("A file that cannot be read is reported as unreadable", () => {
  expect(contentsOf(new Database(":memory:"))).toBe("unreadable");
});
