import { UnusableDatabase } from "../../../../src/db/unusable.ts";
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  previewRestore,
  restoreBackup,
  writeBackup,
} from "../../../../src/db/sqlite/files/backup.ts";
import { connect } from "../../../../src/db/sqlite/connection.ts";
import { migrateDatabase } from "../../../../src/db/sqlite/files/migrate.ts";
import { RELEASED } from "../../../fixtures/released.ts";
import { DOCKET } from "../../../support/docket.ts";
import { run } from "../../../support/program.ts";
import { NOON } from "../../../support/server.ts";
import { firstMigrations, readJournal } from "../../../support/db/migrations.ts";
import { accountFor, directoryForTest, openForTest, pushTask } from "../../../support/db/store.ts";

/** A backup of ann's data, in which someone has run the statements. */
const planted = async (...statements: readonly string[]): Promise<string> => {
  const store = await openForTest();
  await pushTask(store, await accountFor(store), "t1", NOON);
  const file = join(directoryForTest(), "backup.db");
  writeBackup(store.directory, file);
  await store.close();
  const database = new Database(file);
  for (const statement of statements) database.run(statement);
  database.close();
  return file;
};

const refusal = (file: string, what: string) =>
  new UnusableDatabase(
    `Someone has changed ${file}: ${what}. Docket does not restore it, and nothing was changed. Choose another backup.`,
  );

const SESSION = `INSERT INTO session (id, account_id, name, hash, created_at, expires_at)
  SELECT 'planted', id, 'phone', x'00', 0, 9e15 FROM account`;
const ENDLESS =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i AS hash FROM n";
const DOUBLING = Array.from(
  { length: 40 },
  (_, at) => `CREATE VIEW v${at + 1} AS SELECT a.* FROM v${at} a, v${at} b`,
);

const foreign = (part: string) => `its ${part} is not as Docket made it`;

describe("a restore refuses a file that Docket has not made so, and changes nothing", () => {
  test.each<[string, string[], string]>([
    [
      "a trigger that makes a session",
      [`CREATE TRIGGER t AFTER UPDATE ON server BEGIN ${SESSION}; END`],
      foreign("trigger t"),
    ],
    ["a view", ["CREATE VIEW v AS SELECT * FROM session"], foreign("view v")],
    ["a view without end", [`CREATE VIEW v AS ${ENDLESS}`], foreign("view v")],
    [
      "a view in a table's place",
      ["ALTER TABLE session RENAME TO old", `CREATE VIEW session AS ${ENDLESS}`],
      foreign("view session"),
    ],
    [
      "a view without end in place of the server's row",
      ["DROP TABLE server", `CREATE VIEW server AS ${ENDLESS}`],
      "",
    ],
    [
      "a view without end in place of the migrations",
      ["DROP TABLE __drizzle_migrations", `CREATE VIEW __drizzle_migrations AS ${ENDLESS}`],
      "",
    ],
    ["views that double", ["CREATE VIEW v0 AS SELECT 1 AS one", ...DOUBLING], foreign("view v0")],
    [
      "a column that computes",
      ["ALTER TABLE account ADD COLUMN more text AS (hex(zeroblob(500)))"],
      foreign("table account"),
    ],
    [
      "migrations that compute",
      [
        "ALTER TABLE __drizzle_migrations ADD COLUMN more AS (hex(zeroblob(500000000)))",
        "ALTER TABLE __drizzle_migrations DROP COLUMN created_at",
        "ALTER TABLE __drizzle_migrations RENAME COLUMN more TO created_at",
      ],
      foreign("table __drizzle_migrations"),
    ],
    [
      "a trigger on a table that is not Docket's",
      ["CREATE TABLE notes (text)", `CREATE TRIGGER t AFTER INSERT ON notes BEGIN ${SESSION}; END`],
      foreign("trigger t"),
    ],
    ["a virtual table", ["CREATE VIRTUAL TABLE words USING fts5(text)"], foreign("table words")],
    ["an index", ["CREATE INDEX i ON account (email)"], foreign("index i")],
    [
      "a name to fool a terminal",
      ['CREATE VIEW "\u001B[2J" AS SELECT 1'],
      foreign("view \\u001b[2J"),
    ],
    ["a missing table", ["DROP TABLE agent_child"], "some of its tables are missing"],
    [
      "tables that are ahead of its migrations",
      [
        // The last one changes no table.
        "DELETE FROM __drizzle_migrations WHERE rowid >= (SELECT max(rowid) FROM __drizzle_migrations) - 1",
      ],
      "its list of migrations does not fit its tables",
    ],
    [
      "no migrations at all",
      ["DELETE FROM __drizzle_migrations"],
      "its list of migrations does not fit its tables",
    ],
    [
      "a lease after the last year that can be written",
      ["UPDATE server SET lease = 9000000000000000"],
      "its clock is not one that Docket could have set",
    ],
    [
      "an account whose stamps have no next one",
      ["UPDATE account SET hw = 9223372036854775806"],
      "its clock is not one that Docket could have set",
    ],
  ])("%s", async (_what, statements, what) => {
    const file = await planted(...statements);
    const directory = directoryForTest();
    const expected =
      what === ""
        ? new UnusableDatabase(
            `${file} is not a Docket database. Choose a file that \`docket backup\` made.`,
          )
        : refusal(file, what);
    expect(() => previewRestore(directory, file)).toThrow(expected);
    expect(() => restoreBackup(directory, file, NOON)).toThrow(expected);
    expect(existsSync(join(directory, "docket.db"))).toBe(false);
  });
});

test("the program refuses a planted trigger, and the data stay as they are", async () => {
  const file = await planted(`CREATE TRIGGER t AFTER UPDATE ON server BEGIN ${SESSION}; END`);
  const directory = directoryForTest();
  await run(DOCKET, ["account", "add", "bob@example.org", "--data", directory]);
  const before = readFileSync(join(directory, "docket.db"));
  const words = ["restore", file, "--yes", "--data", directory];
  expect(await run(DOCKET, words)).toEqual({
    code: 1,
    out: "",
    err: `docket: ${refusal(file, "its trigger t is not as Docket made it").message}\n`,
  });
  expect(readFileSync(join(directory, "docket.db"))).toEqual(before);
});

/** The names of all tables and indexes. */
const partsOf = (file: string): readonly string[] => {
  using database = new Database(file, { readonly: true });
  return database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema ORDER BY name")
    .all()
    .map(({ name }) => name);
};

describe("tables that are not Docket's are left out", () => {
  const LITESTREAM = [
    "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
    "CREATE TABLE _litestream_lock (id INTEGER)",
  ];
  const computing = `CREATE TABLE "my ""notes""" (text UNIQUE, more AS (hex(text)), CHECK (text <> 'no'))`;
  test.each<[string, string[], string[]]>([
    ["Litestream's", LITESTREAM, ["_litestream_seq", "_litestream_lock"]],
    ["statistics of ANALYZE", ["ANALYZE"], ["sqlite_stat1"]],
    ["statistics of PRAGMA optimize", ["PRAGMA optimize = 0x10002"], ["sqlite_stat1"]],
    [
      "one with an index, a computed column and a quote in its name",
      [
        computing,
        `INSERT INTO "my ""notes""" (text) VALUES ('milk')`,
        `CREATE INDEX i ON "my ""notes""" (length(text))`,
      ],
      ['my "notes"'],
    ],
    [
      "one that refers to Docket's",
      [
        "CREATE TABLE notes (account INTEGER REFERENCES account (id) ON DELETE CASCADE)",
        "INSERT INTO notes SELECT id FROM account",
      ],
      ["notes"],
    ],
  ])("%s", async (_what, statements, tables) => {
    const [file, directory] = [await planted(...statements), directoryForTest()];
    expect(previewRestore(directory, file).backup).toMatchObject({ accounts: 1, tasks: 1 });
    expect((await restoreBackup(directory, file, NOON)).leftOut).toEqual(tables);
    const restored = join(directory, "docket.db");
    expect(partsOf(restored)).toEqual(partsOf(await planted()));
    // The data that someone's program is at work in: their backup is checked as a restore does, and restored.
    using database = new Database(restored);
    for (const statement of statements) database.run(statement);
    const backup = join(directoryForTest(), "backup.db");
    expect(writeBackup(directory, backup)).toEqual(tables);
    expect(partsOf(backup)).toEqual(partsOf(await planted()));
    expect((await restoreBackup(directoryForTest(), backup, NOON)).leftOut).toEqual([]);
  });
});

test("a backup that a restore would refuse is kept, and says so", async () => {
  const directory = directoryForTest();
  await restoreBackup(directory, await planted(), NOON);
  const present = join(directory, "docket.db");
  new Database(present).run("CREATE VIEW v AS SELECT * FROM session");
  const file = join(directoryForTest(), "backup.db");
  expect(await run(DOCKET, ["backup", file, "--data", directory])).toEqual({
    code: 1,
    out: "",
    err:
      `docket: The data are copied to ${file}, but \`docket restore\` will refuse this copy: someone has changed ` +
      `${present}, and its view v is not as Docket made it. Undo that change, then make another backup.\n`,
  });
  expect(existsSync(file)).toBe(true);
});

describe("a restore takes every version that can be migrated", () => {
  test.each(readJournal().entries.map(({ tag }, at) => [tag, at + 1] as const))(
    "%s",
    async (_tag, count) => {
      const [old, target] = [directoryForTest(), directoryForTest()];
      const file = join(old, "docket.db");
      const database = connect(file);
      migrateDatabase(database, file, new Date(NOON), firstMigrations(count));
      database.run("INSERT OR IGNORE INTO server (id, lease, epoch) VALUES (1, 0, 'e')");
      database.close();
      const backup = join(old, "backup.db");
      writeBackup(old, backup);
      await restoreBackup(target, backup, NOON);
      expect(existsSync(join(target, "docket.db"))).toBe(true);
    },
  );

  test("a released build's data", async () => {
    const [old, target] = [directoryForTest(), directoryForTest()];
    const gz = readFileSync(join(RELEASED, "0.1.0.db.gz"));
    writeFileSync(join(old, "docket.db"), Bun.gunzipSync(gz));
    await restoreBackup(target, join(old, "docket.db"), NOON);
    expect(existsSync(join(target, "docket.db"))).toBe(true);
  });
});
