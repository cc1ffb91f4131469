import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { restoreBackup, writeBackup } from "../../../../src/db/sqlite/files/backup.ts";
import type { Store } from "../../../../src/db/store.ts";
import { NOON } from "../../../support/server.ts";
import { expectIndexed, finder } from "../../../support/db/search.ts";
import {
  accountFor,
  ask,
  directoryForTest,
  openForTest,
  pushTask,
} from "../../../support/db/store.ts";

/** ann's server with three tasks, searched once and stopped. */
const stoppedWorld = async () => {
  const directory = directoryForTest();
  const store = await openForTest({ directory });
  const ann = await accountFor(store);
  for (const word of ["apple", "banana", "cherry"])
    await pushTask(store, ann, word, NOON, { title: `${word} pie`, notes: ["x".repeat(5_000)] });
  expect(await finder(store, ann)("pie")).toHaveLength(3);
  await store.close();
  return { directory, ann, file: join(directory, "search.db") };
};

/** Checks that a search finds exactly what is stored. */
const expectRight = async (store: Store, accountId: number): Promise<void> => {
  const find = finder(store, accountId);
  for (const word of ["apple", "banana", "cherry"]) expect(await find(word)).toEqual([word]);
  expect((await find("pie")).toSorted()).toEqual(["apple", "banana", "cherry"]);
};

test("An index that was deleted is made again", async () => {
  const { directory, ann, file } = await stoppedWorld();
  rmSync(file);
  await expectRight(await openForTest({ directory }), ann);
  expectIndexed(directory);
});

test("Whatever byte of an index is damaged, a search finds what is stored", async () => {
  const { directory, ann, file } = await stoppedWorld();
  const whole = readFileSync(file);
  for (let at = 20; at < whole.length; at += Math.floor(whole.length / 12)) {
    const damaged = Buffer.from(whole);
    damaged.fill(damaged[at] === 0x62 ? 0x63 : 0x62, at, at + 40);
    writeFileSync(file, damaged);
    const store = await openForTest({ directory });
    await expectRight(store, ann);
    await store.close();
  }
  writeFileSync(file, "not a database");
  await expectRight(await openForTest({ directory }), ann);
});

test("An index that is damaged while it is in use is made again", async () => {
  const { directory, ann, file } = await stoppedWorld();
  const store = await openForTest({ directory });
  await expectRight(store, ann);
  writeFileSync(file, Buffer.alloc(statSync(file).size, 0x62));
  await pushTask(store, ann, "date", NOON + 1, { title: "date" });
  const find = finder(store, ann);
  expect(await find("date")).toEqual(["date"]);
  await expectRight(store, ann);
});

test("An index that is a month behind reads what it lacks", async () => {
  const { directory, ann, file } = await stoppedWorld();
  const [old, sum] = [readFileSync(file), readFileSync(`${file}.sum`)];
  const later = await openForTest({ directory });
  await pushTask(later, ann, "apple", NOON + 5, { title: "apricot" });
  await pushTask(later, ann, "date", NOON + 5, { title: "date pie" });
  await finder(later, ann)("date");
  await later.close();
  writeFileSync(file, old);
  writeFileSync(`${file}.sum`, sum);
  const find = finder(await openForTest({ directory }), ann);
  expect([await find("apple"), await find("apricot"), await find("date")]).toEqual([
    [],
    ["apple"],
    ["date"],
  ]);
  expectIndexed(directory);
});

test("After a restore, the index of the replaced data is not used, and a backup has none", async () => {
  const { directory, ann } = await stoppedWorld();
  const backup = join(directoryForTest(), "backup.db");
  writeBackup(directory, backup);
  const later = await openForTest({ directory });
  await pushTask(later, ann, "apple", NOON + 5, { title: "apricot" });
  expect(await finder(later, ann)("apricot")).toEqual(["apple"]);
  await later.close();
  await restoreBackup(directory, backup, NOON + 10);
  const restored = await openForTest({ directory, now: NOON + 20 });
  await expectRight(restored, ann);
  expect(await finder(restored, ann)("apricot")).toEqual([]);
  const elsewhere = directoryForTest();
  await restoreBackup(elsewhere, backup, NOON);
  expect(existsSync(join(elsewhere, "search.db"))).toBe(false);
  expect(ask(elsewhere, "SELECT name FROM sqlite_schema WHERE name GLOB '*search*'")).toEqual([]);
});

test("Only the owner of the data may read the index", async () => {
  const { file } = await stoppedWorld();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("The files of an earlier version go, and databases of other programs beside them stay", async () => {
  const { directory, ann } = await stoppedWorld();
  const folder = join(directory, "search");
  const foreign = ["photos.db", "77.db.old", "2024-photos.db", "77-x.db-journal"];
  const old = ["1.db", "1.db.sum", "77-inbox.db", "77-fAb3.db-wal"];
  mkdirSync(folder);
  for (const name of [...foreign, ...old]) writeFileSync(join(folder, name), "x");
  await finder(await openForTest({ directory }), ann)("pie");
  expect(readdirSync(folder).toSorted()).toEqual(foreign.toSorted());
});

test("A command beside the server writes, and the server's next search finds it", async () => {
  const { directory, ann } = await stoppedWorld();
  const server = await openForTest({ directory });
  await expectRight(server, ann);
  const visitor = await openForTest({ directory, role: "visitor" });
  for (let at = 0; at < 5; at += 1) {
    await pushTask(visitor, ann, `v${at}`, NOON + at, { title: `visited ${at}` });
    expect(await finder(server, ann)(`visited ${at}`)).toEqual([`v${at}`]);
    expect(await finder(visitor, ann)("visited")).toHaveLength(at + 1);
  }
  expectIndexed(directory);
});

const WORKING = join(import.meta.dir, "../../../support/db/searching-process.ts");

test("A server that is killed at any moment leaves an index that the next one can use", async () => {
  const directory = directoryForTest();
  const first = await openForTest({ directory });
  await accountFor(first);
  await first.close();
  for (let round = 0; round < 6; round += 1) {
    const words = [process.execPath, WORKING, directory, String(1_000 * (round + 1))];
    const child = Bun.spawn(words, { stdout: "pipe", stderr: "inherit" });
    await child.stdout.getReader().read();
    await Bun.sleep(60 + 130 * round);
    child.kill("SIGKILL");
    await child.exited;
    expectIndexed(directory);
  }
});
