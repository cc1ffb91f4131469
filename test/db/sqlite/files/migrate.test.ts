import { UnusableDatabase } from "../../../../src/db/unusable.ts";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { generateSQLiteMigration, type generateSQLiteDrizzleJson } from "drizzle-kit/api";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { migrateDatabase, needsMigration } from "../../../../src/db/sqlite/files/migrate.ts";
import { openStore } from "../../../../src/db/open.ts";
import { createSession } from "../../../../src/db/people/sessions.ts";
import { cryptoRandom } from "../../../../src/domain/base/secret.ts";
import { NOON } from "../../../support/server.ts";
import { nextMigrations, readJournal, readSnapshot } from "../../../support/db/migrations.ts";
import {
  accountFor,
  ask,
  databaseFile,
  directoryForTest,
  openForTest,
  pushTask,
} from "../../../support/db/store.ts";

/** A directory of last year: two accounts with a session each, and three tasks; no process has it open. */
const usedDirectory = async (): Promise<string> => {
  const store = await openForTest();
  for (const email of ["ann@example.org", "bob@example.org"]) {
    const id = await accountFor(store, email);
    await createSession(store, id, "laptop", cryptoRandom, NOON);
    for (const task of ["t1", "t2", "t3"]) await pushTask(store, id, task, NOON);
  }
  await store.close();
  return store.directory;
};

const BACKUP = "before-migration-2026-03-04T12-00-00-000Z.db";

/** Runs the next version's migrations on the directory, as opening it would. */
const migrateTo = (statements: readonly string[], directory: string): void => {
  const file = databaseFile(directory);
  const database = new Database(file);
  database.run("PRAGMA foreign_keys = ON");
  const folder = nextMigrations(statements);
  expect(needsMigration(database, folder)).toBe(true);
  try {
    migrateDatabase(database, file, new Date(NOON), folder);
    expect(database.query("PRAGMA foreign_keys").get()).toEqual({ foreign_keys: 1 });
    expect(needsMigration(database, folder)).toBe(false);
  } finally {
    database.close();
  }
};

const rowsOf = (directory: string) =>
  ["account", "session", "record"].map((table) => ask(directory, `SELECT * FROM ${table}`));

test("A new directory is migrated once, without a backup of nothing", async () => {
  const directory = directoryForTest();
  const marks = async () => {
    await (await openForTest({ directory })).close();
    return ["__drizzle_migrations", "server"].map((table) =>
      ask<object>(directory, `SELECT * FROM ${table}`),
    );
  };
  const [first, again] = [await marks(), await marks()];
  expect(first[0]).toHaveLength(readJournal().entries.length);
  expect(again[0]).toEqual(first[0] ?? []);
  expect(again[1]).toMatchObject((first[1] ?? []).map((row) => ({ ...row })));
  expect(existsSync(join(directory, "backups"))).toBe(false);
});

test.each([
  ["an unknown later migration", "INSERT INTO __drizzle_migrations VALUES (9, 'later', 9e15)"],
  ["a migration that differs from the known one", "UPDATE __drizzle_migrations SET hash = 'other'"],
])("A database with %s is refused and left unchanged to the byte", async (_name, sql) => {
  const directory = await usedDirectory();
  ask(directory, sql);
  const bytes = readFileSync(databaseFile(directory));
  for (const role of ["server", "visitor"] as const)
    expect(() => openStore({ directory, role, now: NOON })).toThrow(
      new UnusableDatabase(
        "A newer or different version of Docket made this database. Nothing was changed. " +
          "Run that version, or restore a backup that this version or an older one made: `docket backups list` names those from before an upgrade.",
      ),
    );
  expect(readFileSync(databaseFile(directory)).equals(bytes)).toBe(true);
  expect(existsSync(join(directory, "backups"))).toBe(false);
});

test("A database with rows is backed up before it is migrated", async () => {
  const directory = await usedDirectory();
  const before = rowsOf(directory);
  migrateTo(["ALTER TABLE account ADD COLUMN locale text"], directory);
  expect(readdirSync(join(directory, "backups"))).toEqual([BACKUP]);
  expect(statSync(join(directory, "backups")).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "backups", BACKUP)).mode & 0o777).toBe(0o600);
  const backup = new Database(join(directory, "backups", BACKUP), { readonly: true });
  expect(backup.query("SELECT * FROM account").all()).toEqual(before[0] ?? []);
  expect(backup.query("SELECT count(*) AS n FROM record").get()).toEqual({ n: 6 });
  backup.close();
  expect(ask(directory, "SELECT locale FROM account")).toEqual([
    { locale: null },
    { locale: null },
  ]);
});

type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;

/** What Drizzle generates when a column is no longer required: a table that is rebuilt. */
const rebuilt = async (table: string, column: string): Promise<readonly string[]> => {
  const now = readSnapshot(readJournal().entries.length - 1) as Snapshot;
  const next = structuredClone(now);
  const changed = next.tables[table]?.columns[column];
  if (changed) changed.notNull = false;
  const statements = await generateSQLiteMigration(now, next);
  expect(statements.join("\n")).toContain(`DROP TABLE \`${table}\``);
  return statements;
};

test("A table that others refer to is rebuilt, and nothing is lost", async () => {
  const directory = await usedDirectory();
  const before = rowsOf(directory);
  migrateTo(await rebuilt("account", "plan_source"), directory);
  expect(rowsOf(directory)).toEqual(before);
  expect(ask(directory, "PRAGMA foreign_key_check")).toEqual([]);
  for (const table of ["session", "api_key", "record"])
    expect(ask(directory, `PRAGMA foreign_key_list(${table})`)).toMatchObject([
      { table: "account" },
    ]);
  expect(() =>
    ask(
      directory,
      "INSERT INTO session (id, account_id, name, digest, created_at, last_used_at) VALUES ('s', 99, 'x', x'00', 0, 0)",
    ),
  ).not.toThrow();
});

test("A table that was emptied before is rebuilt too: it has no rows to lose", async () => {
  const directory = await usedDirectory();
  ask(
    directory,
    "INSERT INTO activity VALUES (7, 1, 'k', 0, 'GET', '/', 200, NULL, NULL, 1, 1, NULL, 0, NULL)",
  );
  ask(directory, "DELETE FROM activity");
  migrateTo(await rebuilt("activity", "route"), directory);
  expect(ask(directory, "SELECT * FROM activity")).toEqual([]);
});

test.each([
  ["would empty a table", ["DELETE FROM session"]],
  ["would lose one row of many", ["DELETE FROM record WHERE id = 't2' AND account_id = 1"]],
  ["would leave references to nothing", ["UPDATE session SET account_id = 99"]],
  [
    "would lose rows on the way into a new table",
    [
      "CREATE TABLE `__new` (`id` text PRIMARY KEY NOT NULL, `account_id` integer) STRICT",
      "INSERT INTO `__new` SELECT `id`, `account_id` FROM `session` WHERE `account_id` = 1",
      "DROP TABLE `session`",
      "ALTER TABLE `__new` RENAME TO `session`",
    ],
  ],
])(
  "A migration that %s is undone, and the previous version still works",
  async (_name, statements) => {
    const directory = await usedDirectory();
    const before = rowsOf(directory);
    const backup = join(directory, "backups", BACKUP);
    expect(() => migrateTo(statements, directory)).toThrow(
      new UnusableDatabase(
        `The migration would have lost rows, so Docket undid it. A backup is at ${backup}. ` +
          "Go back to the version of Docket that you used before, and report this.",
      ),
    );
    expect(existsSync(backup)).toBe(true);
    const store = await openForTest({ directory });
    expect(rowsOf(directory)).toEqual(before);
    await accountFor(store, "cleo@example.org");
  },
);

test("A migration that fails halfway leaves everything as it was", async () => {
  const directory = await usedDirectory();
  const before = rowsOf(directory);
  expect(() =>
    migrateTo(
      ["ALTER TABLE account ADD COLUMN locale text", "INSERT INTO nowhere VALUES (1)"],
      directory,
    ),
  ).toThrow("nowhere");
  const store = await openForTest({ directory });
  expect(rowsOf(directory)).toEqual(before);
  await accountFor(store, "cleo@example.org");
});
