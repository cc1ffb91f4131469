import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { hasBrokenLog } from "../../../../src/db/sqlite/files/log-check.ts";
import { cases } from "../../../support/random.ts";
import { NOON } from "../../../support/server.ts";
import { FRAME, frameAt, writeAt } from "../../../support/faults/damage.ts";
import {
  accountFor,
  databaseFile,
  directoryForTest,
  openForTest,
  pushTask,
} from "../../../support/db/store.ts";

/** A log of at least thirty commits, and after how many of its pages each of them is complete. */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  for (let task = 0; task < 30; task += 1) await pushTask(store, ann, `t${task}`, NOON + task);
  const log = join(directoryForTest(), "log");
  copyFileSync(`${databaseFile(store.directory)}-wal`, log);
  const bytes = readFileSync(log);
  const pages = Math.floor((bytes.length - 32) / FRAME);
  const commits = Array.from({ length: pages }, (_, page) => page + 1).filter(
    (page) => bytes.readUInt32BE(frameAt(page - 1) + 4) !== 0,
  );
  const again = (): void => writeFileSync(log, bytes);
  return { log, size: bytes.length, again, commits, pages };
};

test("A log as a server wrote it is sound; so is an empty one, and none at all", async () => {
  const { log, commits } = await world();
  expect(commits.length).toBeGreaterThan(30);
  expect(hasBrokenLog(log)).toBe(false);
  expect(hasBrokenLog(`${log}.none`)).toBe(false);
  truncateSync(log, 0);
  expect(hasBrokenLog(log)).toBe(false);
});

test("A log that ends anywhere is taken for what a crash leaves", async () => {
  const { log, size, again } = await world();
  fc.assert(
    fc.property(fc.nat(size), (end) => {
      again();
      truncateSync(log, end);
      expect(hasBrokenLog(log)).toBe(false);
    }),
    cases(300),
  );
});

test("Any damage before the last two commits is noticed", async () => {
  const { log, again, commits } = await world();
  const sure = frameAt(commits.at(-3) ?? 0);
  const garbage = fc.uint8Array({ minLength: 1, maxLength: 600 });
  fc.assert(
    fc.property(fc.nat(sure - 1), garbage, (at, bytes) => {
      again();
      const before = readFileSync(log).subarray(at, at + bytes.length);
      fc.pre(!before.equals(bytes) && at + bytes.length < sure);
      writeAt(log, bytes, at);
      expect(hasBrokenLog(log)).toBe(true);
    }),
    cases(500),
  );
});

test("Damage in the last commit is taken for what a crash left half-written", async () => {
  const { log, again, commits, pages } = await world();
  for (let page = commits.at(-2) ?? 0; page < pages; page += 1) {
    again();
    writeAt(log, new Uint8Array(100).fill(7), frameAt(page) + 500);
    expect(hasBrokenLog(log)).toBe(false);
  }
});

test("A log that was restarted over an older one is sound, wherever it stops", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  for (let task = 0; task < 30; task += 1) await pushTask(store, ann, `t${task}`, NOON + task);
  const log = `${databaseFile(store.directory)}-wal`;
  const older = readFileSync(log);
  store.writer.emptyLog(0);
  for (let task = 0; task < 5; task += 1) await pushTask(store, ann, `u${task}`, NOON + task);
  const newer = readFileSync(log);
  const mixed = join(directoryForTest(), "log");
  for (let end = frameAt(0); end < newer.length; end += 511) {
    writeFileSync(mixed, Buffer.concat([newer.subarray(0, end), older.subarray(end)]));
    expect(hasBrokenLog(mixed)).toBe(false);
  }
});
