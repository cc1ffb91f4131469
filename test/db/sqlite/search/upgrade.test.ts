import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { migrateDatabase } from "../../../../src/db/sqlite/files/migrate.ts";
import { NOON } from "../../../support/server.ts";
import { firstMigrations } from "../../../support/db/migrations.ts";
import { expectIndexed, finder } from "../../../support/db/search.ts";
import {
  ask,
  databaseFile,
  directoryForTest,
  openForTest,
  pushTask,
} from "../../../support/db/store.ts";

type Old = {
  readonly account: number;
  readonly id: string;
  readonly table?: string;
  readonly deleted?: boolean;
  readonly payload: object;
};

/** Data as the version before the search left them. */
const oldDirectory = (records: readonly Old[]): string => {
  const directory = directoryForTest();
  const database = new Database(databaseFile(directory));
  database.run("PRAGMA journal_mode = WAL");
  migrateDatabase(database, databaseFile(directory), new Date(NOON), firstMigrations(3));
  const account = database.query(
    "INSERT INTO account (id, uid, email, plan, plan_source, created_at, hw) VALUES (?1, ?1, ?1, 'pro', 'self_hosted', 0, 1)",
  );
  const record = database.query(
    `INSERT INTO record (account_id, tbl, id, payload, size, updated, updated_at, deleted_at, changed_at,
       created_at, created_by, title, trashed, live, open, row)
     VALUES (?1, ?2, ?3, ?4, length(?4), 0, '', ?5, 1, 0, 'person', '', 0, ?6, ?6, ?7)`,
  );
  database.run("BEGIN");
  for (const id of new Set(records.map((one) => one.account))) account.run(id);
  for (const { account: id, id: task, table = "sync_tasks", deleted = false, payload } of records)
    record.run(
      id,
      table,
      task,
      JSON.stringify(payload),
      deleted ? "2026-01-01T00:00:00Z" : null,
      Number(!deleted),
      JSON.stringify({ id: task }),
    );
  database.run("COMMIT");
  database.close();
  return directory;
};

test("Tasks from before there was a search are found after the upgrade", async () => {
  const pages = [{ url: "https://a.example/borrow%20checker", title: "Chapter" }];
  const directory = oldDirectory([
    { account: 1, id: "t1", payload: { title: "rust", pages, notes: ["東京", 5] } },
    { account: 1, id: "t2", payload: { title: ["odd"], pages: {}, notes: null } },
    { account: 1, id: "gone", deleted: true, payload: { title: "rust" } },
    { account: 1, id: "p1", table: "sync_projects", payload: { name: "rust", title: "rust" } },
    { account: 2, id: "t1", payload: { title: "rust of bob" } },
  ]);
  const lines: string[] = [];
  const store = await openForTest({ directory, say: (line) => lines.push(line) });
  expect(readdirSync(join(directory, "backups"))).toHaveLength(1);
  for (const q of ["rust", "chapter", "borrow checker", "東京"])
    expect([q, await finder(store, 1)(q)]).toEqual([q, ["t1"]]);
  expect(await finder(store, 1)("bob")).toEqual([]);
  expect(await finder(store, 2)("rust bob")).toEqual(["t1"]);
  expectIndexed(directory);
  await pushTask(store, 1, "t1", NOON, { title: "go" });
  expect([await finder(store, 1)("go"), await finder(store, 1)("rust")]).toEqual([["t1"], []]);
  expectIndexed(directory);
  expect(lines).toEqual([]);
});

test("Updating many tasks is announced to the person waiting, and the first search finds them", async () => {
  const tasks = Array.from({ length: 5_000 }, (_, at) => ({
    account: 1,
    id: `t${at}`,
    payload: { title: `n${at} rust` },
  }));
  const directory = oldDirectory(tasks);
  const lines: string[] = [];
  const store = await openForTest({ directory, say: (line) => lines.push(line) });
  expect(lines).toEqual(["Updating the stored rows of 5000 records. This happens only once."]);
  expect(await finder(store, 1)("n4321 rust")).toEqual(["t4321"]);
  await store.close();
  await (await openForTest({ directory, say: (line) => lines.push(line) })).close();
  expect(lines).toHaveLength(1);
});

test("The tables of the old index are dropped, and no record is lost", async () => {
  const directory = oldDirectory([
    { account: 1, id: "t1", payload: { title: "rust", pages: [{ url: "https://a.example/" }] } },
  ]);
  const database = new Database(databaseFile(directory));
  migrateDatabase(database, databaseFile(directory), new Date(NOON), firstMigrations(8));
  database.run("INSERT INTO tab_url VALUES (1, 5, 't1')");
  database.run("INSERT INTO search_task VALUES (1, 1, 't1')");
  database.run("INSERT INTO search (rowid, account, title) VALUES (1, '1', 'rust')");
  database.close();
  const store = await openForTest({ directory, now: NOON + 1 });
  const tables = ask(
    directory,
    "SELECT name FROM sqlite_schema WHERE name GLOB '*search*' OR name = 'tab_url'",
  );
  expect(tables).toEqual([]);
  expect(ask(directory, "SELECT id FROM record")).toEqual([{ id: "t1" }]);
  expect(await finder(store, 1)("rust")).toEqual(["t1"]);
  expect(await finder(store, 1)("rust", { url: "https://a.example/" })).toEqual(["t1"]);
  expect(await finder(store, 1)("rust", { url: "https://a.example" })).toEqual([]);
});

test("An upgrade that cannot be finished leaves the data as they were, and succeeds at the next start", async () => {
  const directory = oldDirectory([
    { account: 1, id: "t1", payload: { title: "rust" } },
    { account: 1, id: "t2", payload: { title: "book" } },
  ]);
  ask(directory, "UPDATE record SET payload = '{' WHERE id = 't2'");
  const tables = () => ask(directory, "SELECT name FROM sqlite_schema ORDER BY name");
  const before = tables();
  expect(() => openForTest({ directory })).toThrow("JSON");
  expect(tables()).toEqual(before);
  ask(directory, `UPDATE record SET payload = '{"title":"book"}' WHERE id = 't2'`);
  expect(await finder(await openForTest({ directory, now: NOON + 1 }), 1)("book")).toEqual(["t2"]);
});
