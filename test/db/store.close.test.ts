import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { listAccounts } from "../../src/db/people/accounts.ts";
import { openPull } from "../../src/db/records/pull.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { NOON } from "../support/server.ts";
import { startProcess } from "../support/db/process.ts";
import {
  accountFor,
  ask,
  databaseFile,
  directoryForTest,
  openForTest,
  pushTask,
  type TestStore,
} from "../support/db/store.ts";

const leaseOf = ({ directory }: TestStore): number =>
  ask<{ lease: number }>(directory, "SELECT lease FROM server")[0]?.lease ?? 0;

test("A server that is stopped leaves everything in one file, which can be copied", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  await openPull(store, ann, null, null, NOON);
  await store.close();
  const directory = join(directoryForTest(), "copy");
  mkdirSync(directory);
  copyFileSync(databaseFile(store.directory), databaseFile(directory));
  const copy = await openForTest({ directory });
  expect(await listAccounts(copy)).toHaveLength(1);
  expect(ask(directory, "SELECT id FROM record")).toEqual([{ id: "t1" }]);
});

test("A server that is stopped gives back the time it had reserved in the future", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await openPull(store, ann, null, null, NOON);
  expect(leaseOf(store)).toBe(NOON + 10_000);
  await store.close();
  expect(leaseOf(store)).toBe(NOON);
});

test("A server that is stopped while its clock is set back keeps the times it gave out", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { until } = await openPull(store, ann, null, null, NOON);
  await store.close();
  const again = await openForTest({ directory: store.directory, now: NOON - DAY });
  expect((await openPull(again, ann, null, null, NOON - DAY)).until).toBe(until);
  await again.close();
  expect(leaseOf(again)).toBe(until);
});

test("A server can be stopped while another process is writing, and waits for it", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await openPull(store, ann, null, null, NOON);
  const other = await startProcess("hold the write lock", store.directory);
  const closed = store.close();
  await other.end();
  await closed;
  expect(leaseOf(store)).toBe(NOON);
  await openForTest({ directory: store.directory });
});
