import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { pushChanges } from "../../support/rules.ts";
import { NOON } from "../../support/server.ts";
import {
  accountFor,
  ask,
  databaseFile,
  openForTest,
  pushTask,
  recordOf,
  type TestStore,
} from "../../support/db/store.ts";

const logSize = ({ directory }: TestStore): number =>
  statSync(`${databaseFile(directory)}-wal`).size;

const FILLER = "x".repeat(3_000);

const pushMany = async (
  store: TestStore,
  ann: number,
  from: number,
  count: number,
): Promise<void> => {
  for (let task = from; task < from + count; task += 1)
    await pushTask(store, ann, `t${task}`, NOON + task, { filler: FILLER });
};

test("A server has its log moved into the database as it works, so that the log stays small", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushMany(store, ann, 0, 800);
  expect(logSize(store)).toBeGreaterThan(1_000 * 4_120);
  expect(logSize(store)).toBeLessThan(8_100 * 4_120);
  // Writes that come too fast for that wait until the log has room again.
  let longest = 0;
  for (let at = 0; at < 20; at += 1) {
    const tasks = Array.from({ length: 500 }, (_, one) =>
      recordOf(`m${at} ${one}`, NOON, { filler: FILLER }),
    );
    await pushChanges(store, ann, null, tasks, NOON);
    longest = Math.max(longest, logSize(store));
  }
  // One push has up to 1,200 pages.
  expect(longest).toBeLessThan(9_200 * 4_120);
  await store.close();
  expect(
    statSync(`${databaseFile(store.directory)}-wal`, { throwIfNoEntry: false })?.size ?? 0,
  ).toBe(0);
});

test("A log that has grown is truncated, but not while another process reads", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushMany(store, ann, 0, 20);
  expect(store.writer.emptyLog(1_000_000_000)).toBeNull();
  const reader = new Database(databaseFile(store.directory), { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM record").get();
  await pushMany(store, ann, 20, 20);
  expect(store.writer.emptyLog(1_000)).toBe(logSize(store));
  expect(logSize(store)).toBeGreaterThan(100_000);
  reader.close(true);
  expect(store.writer.emptyLog(1_000)).toBeNull();
  expect(logSize(store)).toBe(0);
  expect(ask(store.directory, "SELECT count(*) AS tasks FROM record")).toEqual([{ tasks: 40 }]);
});

test("A long log that is not moved yet is moved on the thread before it is truncated", async () => {
  const store = await openForTest();
  await accountFor(store);
  const other = new Database(databaseFile(store.directory));
  other.run("PRAGMA wal_autocheckpoint = 0");
  other.run("CREATE TABLE filler (text)");
  other.run("INSERT INTO filler VALUES (zeroblob(8000000))");
  // The last connection's close would move the log; this one is not the last.
  other.close(true);
  expect(store.writer.emptyLog(1_000)).toBeNull();
  expect(logSize(store)).toBeGreaterThan(8_000_000);
  while (logSize(store) > 0) {
    await Bun.sleep(10);
    expect(store.writer.emptyLog(1_000)).toBeNull();
  }
});

test("A huge log is truncated on the thread, and a commit never truncates it", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const other = new Database(databaseFile(store.directory));
  other.run("PRAGMA wal_autocheckpoint = 0");
  other.run("CREATE TABLE filler (text)");
  other.run("INSERT INTO filler VALUES (zeroblob(90000000))");
  other.run("PRAGMA wal_checkpoint(PASSIVE)");
  other.close(true);
  await pushTask(store, ann, "t", NOON);
  expect(logSize(store)).toBeGreaterThan(90_000_000);
  expect(store.writer.emptyLog(64_000_000)).toBeNull();
  expect(logSize(store)).toBeGreaterThan(90_000_000);
  while (logSize(store) > 0) await Bun.sleep(10);
  await pushTask(store, ann, "u", NOON);
  expect(ask(store.directory, "SELECT count(*) AS tasks FROM record")).toEqual([{ tasks: 2 }]);
});

test("A command leaves the log to the server", async () => {
  const store = await openForTest();
  const visitor = await openForTest({ directory: store.directory, role: "visitor" });
  await accountFor(visitor);
  expect(visitor.writer.emptyLog(0)).toBeNull();
  expect(logSize(store)).toBeGreaterThan(0);
});
