import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../support/db/store.ts";
import { expectClosed, largeData, modesDuring, openly } from "../support/modes.ts";
import { COMMONEST } from "../support/passwords.ts";
import { buildBinary, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { annsData } from "../support/binary/attack.ts";

// Attacks on the command line and the files, as they once worked, against the executable.

const binary = await buildBinary();

/** The names and bytes of all files of a directory. */
const contentsOf = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "latin1")]),
  );

test("docket backup --help and docket restore --help write and replace nothing", async () => {
  const [{ data, docket }, cwd] = [await annsData(), testDirectory()];
  for (const name of ["help", "--help", "-h"])
    expect((await docket("backup", join(cwd, name))).code).toBe(0);
  await docket("account", "add", "bob@example.org");
  const before = [contentsOf(data), contentsOf(cwd)];
  for (const line of ["backup --help", "backup -h", "restore --help", "restore --yes -h"]) {
    const { code, out, err } = await run(binary, ["--data", data, ...line.split(" ")], { cwd });
    expect([line, code, err]).toEqual([line, 0, ""]);
    expect(out).toStartWith("Usage");
  }
  expect([contentsOf(data), contentsOf(cwd)]).toEqual(before);
});

test.each([
  ["backup --copy.db", "Unknown option '--copy.db'."],
  ["backup -- --copy.db", `"--copy.db" looks like an option.`],
  ["backup -- -copy.db", `"-copy.db" looks like an option.`],
  ["restore --yes -- -copy.db", `"-copy.db" looks like an option.`],
])("docket %s is refused: a path does not begin with a dash", async (line, message) => {
  const [{ data }, cwd] = [await annsData(), testDirectory()];
  const before = contentsOf(data);
  const { code, err } = await run(binary, ["--data", data, ...line.split(" ")], { cwd });
  expect([code, err]).toEqual([2, expect.stringContaining(`docket: ${message} `)]);
  expect([contentsOf(data), readdirSync(cwd)]).toEqual([before, []]);
});

test("nobody else can read a backup or a restore while it is written", async () => {
  const [data, target, restored] = [await largeData(binary), testDirectory(), testDirectory()];
  const file = join(target, "copy.db");
  const backup = await modesDuring(openly(binary), ["backup", file, "--data", data], target);
  expect([...backup.keys()]).toContain("copy.db.partial");
  expectClosed(backup);
  const words = ["restore", file, "--yes", "--data", restored];
  const restore = await modesDuring(openly(binary), words, restored);
  expect([...restore.keys()]).toContain("docket.db.restoring.partial");
  expectClosed(restore);
});

test("symbolic links in place of the server's own notes are not followed, whenever they were put there", async () => {
  const [{ data }, diary] = [await annsData(), join(testDirectory(), "diary")];
  const [pid, stopped] = [join(data, "docket.pid"), join(data, "docket.stopped")];
  writeFileSync(diary, "Dear diary");
  rmSync(pid, { force: true });
  symlinkSync(diary, pid);
  const server = await serve(binary, ["--data", data, "--log", "off"]);
  expect(readFileSync(pid, "utf8")).toContain(String(server.pid));
  symlinkSync(diary, stopped);
  expect(await server.stop()).toBe(0);
  expect(readFileSync(diary, "utf8")).toBe("Dear diary");
  for (const note of [pid, stopped]) expect(lstatSync(note).isFile()).toBe(true);
});

const SESSION = `INSERT INTO session (id, account_id, name, hash, created_at, expires_at)
  SELECT 'planted', id, 'phone', x'00', 0, 9e15 FROM account`;
const ENDLESS =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i AS hash FROM n";
const PLANTED: readonly (readonly [string, readonly string[], string])[] = [
  [
    "a trigger that makes a session",
    [`CREATE TRIGGER t AFTER UPDATE ON server BEGIN ${SESSION}; END`],
    "its trigger t",
  ],
  ["a view", ["CREATE VIEW v AS SELECT * FROM session"], "its view v"],
  ["a recursive view without end", [`CREATE VIEW v AS ${ENDLESS}`], "its view v"],
  [
    "a recursive view in a table's place",
    ["ALTER TABLE session RENAME TO old", `CREATE VIEW session AS ${ENDLESS}`],
    "its view session",
  ],
];

test.each(PLANTED)("a backup with %s is not restored", async (_what, statements, what) => {
  const { data, docket } = await annsData();
  const file = join(testDirectory(), "copy.db");
  await docket("backup", file);
  const database = new Database(file);
  for (const statement of statements) database.run(statement);
  database.close();
  const before = readFileSync(databaseFile(data), "latin1");
  expect(await docket("restore", file, "--yes")).toEqual({
    code: 1,
    out: "",
    err: `docket: Someone has changed ${file}: ${what} is not as Docket made it. Docket does not restore it, and nothing was changed. Choose another backup.\n`,
  });
  expect(readFileSync(databaseFile(data), "latin1")).toBe(before);
});

test("a backup whose tables are ahead of its list of migrations is not restored: no server could start on it", async () => {
  const { data, docket } = await annsData();
  const file = join(testDirectory(), "copy.db");
  await docket("backup", file);
  const database = new Database(file);
  // The last migrations may only rebuild rows, which can be done again. Not so the columns that one of these adds.
  database.run(
    "DELETE FROM __drizzle_migrations WHERE rowid > (SELECT max(rowid) FROM __drizzle_migrations) - 3",
  );
  database.close();
  const before = readFileSync(databaseFile(data), "latin1");
  expect(await docket("restore", file, "--yes")).toEqual({
    code: 1,
    out: "",
    err: `docket: Someone has changed ${file}: its list of migrations does not fit its tables. Docket does not restore it, and nothing was changed. Choose another backup.\n`,
  });
  expect(readFileSync(databaseFile(data), "latin1")).toBe(before);
});

test("none of the commonest passwords is accepted", async () => {
  const { data } = await annsData();
  const choose = (password: string) =>
    run(binary, ["--data", data, "account", "password", "ann@example.org"], {
      input: `${password}\n`,
    });
  const taken: string[] = [];
  for (const password of COMMONEST) {
    const { code, err } = await choose(password);
    if (code !== 2 || !err.includes("This password is too easy to guess.")) taken.push(password);
  }
  expect(taken).toEqual([]);
  expect((await choose("my cat sleeps on the keyboard")).code).toBe(0);
});
