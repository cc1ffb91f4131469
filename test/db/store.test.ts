import { UnusableDatabase } from "../../src/db/unusable.ts";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { findAccount, listAccounts } from "../../src/db/people/accounts.ts";
import { isReadable } from "../../src/db/health.ts";
import { lockDirectory } from "../../src/db/sqlite/files/lock.ts";
import { openStore } from "../../src/db/open.ts";
import type { Orm } from "../../src/db/query.ts";
import { NOON } from "../support/server.ts";
import { startProcess } from "../support/db/process.ts";
import { accountFor, databaseFile, directoryForTest, openForTest } from "../support/db/store.ts";

const PRAGMAS = {
  journal_mode: "wal",
  synchronous: 2,
  foreign_keys: 1,
  mmap_size: 0,
  trusted_schema: 0,
  cell_size_check: 1,
  temp_store: 2,
} as const;

const readPragmas = (orm: Orm) =>
  Object.fromEntries(
    Object.keys(PRAGMAS).map((name) => [
      name,
      Object.values(orm.get<object>(sql.raw(`PRAGMA ${name}`)) ?? {})[0],
    ]),
  );

test("Both connections are set so that a commit is on the disk", async () => {
  const store = await openForTest();
  expect(readPragmas(store.reader)).toEqual(PRAGMAS);
  expect(await store.writer.write((tx) => readPragmas(tx.orm))).toEqual(PRAGMAS);
});

test("The reader cannot write", async () => {
  const store = await openForTest();
  expect(async () => store.reader.run(sql`delete from account`)).toThrow();
  expect(await store.reader.get<object>(sql`pragma query_only`)).toEqual([1]);
});

const timeout = (orm: Orm) => Object.values(orm.get<object>(sql`pragma busy_timeout`) ?? {})[0];

test("Writers never wait inside SQLite, a server's or a visitor's; readers may", async () => {
  const server = await openForTest();
  const visitor = await openForTest({ directory: server.directory, role: "visitor" });
  expect(await server.writer.write((tx) => timeout(tx.orm))).toBe(0);
  expect(timeout(server.reader)).toBe(5_000);
  expect(await visitor.writer.write((tx) => timeout(tx.orm))).toBe(0);
  expect(timeout(visitor.reader)).toBe(5_000);
});

const modes = (directory: string): Record<string, string> =>
  Object.fromEntries(
    ["", ...readdirSync(directory)].map((name) => [
      name || "the directory",
      (statSync(join(directory, name)).mode & 0o777).toString(8),
    ]),
  );

test("The directory and everything in it are private to their owner", async () => {
  const store = await openForTest({ directory: join(directoryForTest(), "deep", "down") });
  await accountFor(store);
  const found = modes(store.directory);
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining(["docket.db", "docket.db-wal", "docket.lock"]),
  );
  const { "the directory": itself, ...files } = found;
  expect(itself).toBe("700");
  expect(new Set(Object.values(files))).toEqual(new Set(["600"]));
});

test("A directory and a database that others could read are made private", async () => {
  const directory = directoryForTest();
  await (await openForTest({ directory })).close();
  chmodSync(directory, 0o755);
  chmodSync(databaseFile(directory), 0o644);
  const store = await openForTest({ directory });
  expect(modes(store.directory)).toMatchObject({ "the directory": "700", "docket.db": "600" });
});

test("What was written is there when the directory is opened again", async () => {
  const store = await openForTest();
  await accountFor(store);
  await store.close();
  const again = await openForTest({ directory: store.directory });
  expect(await findAccount(again, "ann@example.org")).toMatchObject({ email: "ann@example.org" });
  expect(await isReadable(again)).toBe(true);
});

test("Closing commits pending writes", async () => {
  const store = await openForTest();
  const made = accountFor(store);
  await store.close();
  await made;
  const again = await openForTest({ directory: store.directory });
  expect(await listAccounts(again)).toHaveLength(1);
});

const taken = (directory: string, pid: number | string): UnusableDatabase =>
  new UnusableDatabase(
    `Another Docket server (process ${pid}) is using ${directory}. ` +
      "Stop it first, or choose another directory with --data.",
  );

test("A second server on the same directory is refused, and the first keeps working", async () => {
  const first = await openForTest();
  const second = () => openStore({ directory: first.directory, role: "server", now: NOON });
  expect(second).toThrow(taken(first.directory, process.pid));
  await accountFor(first);
  expect(await listAccounts(first)).toHaveLength(1);
  expect(second).toThrow(taken(first.directory, process.pid));
  await first.close();
  await (await second()).close();
});

test("A second server in another process is refused, and starts once the first was killed", async () => {
  const directory = directoryForTest();
  const first = await startProcess("serve", directory);
  const second = () => openForTest({ directory });
  expect(second).toThrow(taken(directory, first.pid));
  expect(first.isRunning()).toBe(true);
  await first.kill();
  const store = await second();
  await accountFor(store);
  expect(readFileSync(join(directory, "docket.pid"), "utf8")).toBe(`${process.pid}\n`);
});

test("A second server starts once the first was stopped", async () => {
  const directory = directoryForTest();
  const first = await startProcess("serve", directory);
  await first.end();
  await openForTest({ directory });
});

test("Visitors can open the directory beside the server and each other, and all see the same data", async () => {
  const server = await openForTest();
  const one = await openForTest({ directory: server.directory, role: "visitor" });
  const other = await startProcess("visit", server.directory);
  await accountFor(one, "ann@example.org");
  await accountFor(server, "bob@example.org");
  for (const store of [server, one])
    expect((await listAccounts(store)).map(({ email }) => email)).toEqual([
      "ann@example.org",
      "bob@example.org",
    ]);
  await other.end();
  await one.close();
  expect(await listAccounts(server)).toHaveLength(2);
});

test("A visitor needs no server, and creates the database if there is none", async () => {
  const visitor = await openForTest({ role: "visitor" });
  await accountFor(visitor);
  await openForTest({ directory: visitor.directory });
});

test("A visitor does not migrate while another process holds the directory", async () => {
  const directory = directoryForTest();
  const lock = lockDirectory(directory);
  const browserSession = () => openForTest({ directory, role: "visitor" });
  expect(browserSession).toThrow(taken(directory, process.pid));
  if ("release" in lock) lock.release();
  await browserSession();
});

test("If nobody wrote down who holds the lock, the holder is reported as unknown", () => {
  const directory = directoryForTest();
  const lock = new Database(join(directory, "docket.lock"), { create: true });
  lock.run("BEGIN EXCLUSIVE");
  expect(() => openStore({ directory, role: "server", now: NOON })).toThrow(
    taken(directory, "unknown"),
  );
  lock.close();
});

test("A text file in place of the database is refused, and left as it is", () => {
  const directory = directoryForTest();
  mkdirSync(directory, { recursive: true });
  writeFileSync(databaseFile(directory), "Dear diary, ".repeat(100));
  expect(() => openStore({ directory, role: "server", now: NOON })).toThrow();
  expect(readFileSync(databaseFile(directory), "utf8")).toBe("Dear diary, ".repeat(100));
});

test("A file that is not a database is refused with advice, and left as it is", () => {
  const directory = directoryForTest();
  const file = join(directory, "docket.db");
  writeFileSync(file, "This is not a database, but a text that is long enough to have a header.");
  expect(() => openStore({ directory, role: "server", now: NOON })).toThrow(
    `${file} is damaged or not a database. Nothing was changed. Replace it with a backup: docket restore FILE`,
  );
  expect(readFileSync(file, "utf8")).toStartWith("This is not a database");
});
