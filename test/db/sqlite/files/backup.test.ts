import { UnusableDatabase } from "../../../../src/db/unusable.ts";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAccounts } from "../../../../src/db/people/accounts.ts";
import { restoreBackup, writeBackup } from "../../../../src/db/sqlite/files/backup.ts";
import { openPull, pullRows } from "../../../../src/db/records/pull.ts";
import { DAY } from "../../../../src/domain/base/instant.ts";
import { NOON } from "../../../support/server.ts";
import { startProcess } from "../../../support/db/process.ts";
import {
  accountFor,
  ask,
  databaseFile,
  directoryForTest,
  openForTest,
  pushTask,
  type TestStore,
} from "../../../support/db/store.ts";

const pull = async (store: TestStore, ann: number, since: number | null, now: number) => {
  const window = await openPull(store, ann, since, null, now);
  const rows = (await Array.fromAsync(pullRows(store, ann, "sync_tasks", window))).flat();
  const ids = rows.map((row) => (JSON.parse(row) as { id: string }).id);
  return { until: window.until, epoch: window.epoch, ids };
};

test("A backup can be made while the server runs, is complete, and is private to its owner", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const file = join(directoryForTest(), "docket.db");
  writeBackup(store.directory, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, ".."))).toEqual(["docket.db"]);
  const copy = await openForTest({ directory: join(file, "..") });
  expect(ask(copy.directory, "SELECT id FROM record")).toEqual([{ id: "t1" }]);
  await pushTask(store, ann, "t2", NOON);
});

test("A backup never overwrites a file", async () => {
  const store = await openForTest();
  const file = join(directoryForTest(), "diary");
  writeFileSync(file, "Dear diary");
  expect(() => writeBackup(store.directory, file)).toThrow(
    new UnusableDatabase(
      `${file} already exists, and Docket does not overwrite it. Choose another name.`,
    ),
  );
  expect(readFileSync(file, "utf8")).toBe("Dear diary");
});

/** A server with t1, of which there is a backup, and t2, which came after it. */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const backup = join(directoryForTest(), "backup.db");
  writeBackup(store.directory, backup);
  await pushTask(store, ann, "t2", NOON + 1_000);
  const last = await pull(store, ann, null, NOON + DAY);
  return { store, ann, backup, last };
};

test("Devices that pulled before a restore see what is written after it", async () => {
  const { store, ann, backup, last } = await world();
  await store.close();
  await restoreBackup(store.directory, backup, NOON - DAY);
  const again = await openForTest({ directory: store.directory, now: NOON - DAY });
  await pushTask(again, ann, "t3", NOON - DAY);
  const next = await pull(again, ann, last.until, NOON - DAY);
  expect(next.ids).toEqual(["t3"]);
  expect(next.until).toBeGreaterThan(last.until);
  expect(next.epoch).not.toBe(last.epoch);
  expect((await pull(again, ann, null, NOON - DAY)).ids).toEqual(["t1", "t3"]);
});

test("The data that a restore replaces are kept, and can be restored in turn", async () => {
  const { store, backup, last } = await world();
  await store.close();
  const { kept } = await restoreBackup(store.directory, backup, NOON);
  expect(kept).toBe(join(store.directory, "backups", "before-restore-2026-03-04T12-00-00-000Z.db"));
  expect((await restoreBackup(store.directory, kept ?? "", NOON + 1)).kept).not.toBeNull();
  const again = await openForTest({ directory: store.directory });
  expect((await pull(again, 1, null, NOON)).ids).toEqual(last.ids);
});

test("A backup can be restored into a new directory", async () => {
  const { backup } = await world();
  const directory = join(directoryForTest(), "new");
  expect(await restoreBackup(directory, backup, NOON)).toEqual({
    kept: null,
    carried: true,
    leftOut: [],
  });
  expect(await listAccounts(await openForTest({ directory }))).toHaveLength(1);
});

test("Nothing is restored while a server is running", async () => {
  const { backup } = await world();
  const directory = directoryForTest();
  const server = await startProcess("serve", directory);
  expect(() => restoreBackup(directory, backup, NOON)).toThrow(
    new UnusableDatabase(
      `A Docket server (process ${server.pid}) is using ${directory}. Stop it first.`,
    ),
  );
  await server.end();
  expect(ask(directory, "SELECT id FROM record")).toEqual([]);
});

test("A file that is not a Docket database is not restored, and the present data stay", async () => {
  const { store } = await world();
  await store.close();
  const diary = join(directoryForTest(), "diary");
  writeFileSync(diary, "Dear diary, ".repeat(100));
  const empty = join(directoryForTest(), "empty");
  writeFileSync(empty, "");
  for (const file of [diary, empty])
    expect(() => restoreBackup(store.directory, file, NOON)).toThrow(
      new UnusableDatabase(
        `${file} is not a Docket database. Choose a file that \`docket backup\` made.`,
      ),
    );
  const nowhere = join(directoryForTest(), "nowhere");
  expect(() => restoreBackup(store.directory, nowhere, NOON)).toThrow(
    new UnusableDatabase(`There is no file ${nowhere}. Check the path.`),
  );
  expect(existsSync(join(store.directory, "backups"))).toBe(false);
  expect(existsSync(databaseFile(store.directory))).toBe(true);
  await openForTest({ directory: store.directory });
});

test("Nothing is restored while another command reads the data", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "kept", NOON);
  const backup = join(directoryForTest(), "copy.db");
  writeBackup(store.directory, backup);
  await pushTask(store, ann, "later", NOON + 1);
  // A reader that holds on to the log, so that its content cannot be moved into the database.
  const reader = new Database(join(store.directory, "docket.db"));
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM record").get();
  await pushTask(store, ann, "last", NOON + 2);
  await store.close();
  expect(() => restoreBackup(store.directory, backup, NOON)).toThrow(
    `Another Docket command is using ${join(store.directory, "docket.db")}. Nothing was changed. Try again when it has finished.`,
  );
  reader.close();
  const again = await openForTest({ directory: store.directory });
  expect((await pull(again, ann, null, NOON + 9)).ids).toEqual(["kept", "later", "last"]);
});
