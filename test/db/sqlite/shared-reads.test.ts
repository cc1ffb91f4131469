import { expect, test } from "bun:test";
import { selectAccount } from "../../../src/db/people/credentials.ts";
import { findRecord } from "../../../src/db/sqlite/records/find.ts";
import { highWater } from "../../../src/db/records/clock.ts";
import { openStore } from "../../../src/db/store.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, BOT, directoryForTest, openForTest } from "../_store.ts";
import { createTask } from "../../support/rules.ts";

const TASK = { title: "bread", tabs: [], notes: [] };

test("who was answered finds what was written, also in a turn in which was read before", async () => {
  const store = openForTest();
  const ann = await accountFor(store);
  const written = createTask(store, ann, TASK, BOT, NOON);
  expect(highWater(store.reader, ann)).toBe(0);
  const { id } = await written;
  expect(findRecord(store.reader, ann, "sync_tasks", id)?.title).toBe("bread");
});

test("reads of one turn see the same, and those of the next what another process wrote", async () => {
  const directory = directoryForTest();
  const store = openForTest({ directory });
  const ann = await accountFor(store);
  const other = openForTest({ directory, role: "visitor" });
  expect(store.reader.$client.inTransaction).toBe(false);
  expect(highWater(store.reader, ann)).toBe(0);
  expect(store.reader.$client.inTransaction).toBe(true);
  const { changedAt } = await createTask(other, ann, TASK, BOT, NOON);
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.reader.$client.inTransaction).toBe(false);
  expect(highWater(store.reader, ann)).toBe(changedAt);
});

test("a store may be closed in a turn in which was read", async () => {
  const directory = directoryForTest();
  const store = openStore({ directory, role: "server", now: NOON });
  const ann = await accountFor(store);
  const closed = store.close();
  expect(highWater(store.reader, ann)).toBe(0);
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
});

test("the log is emptied also in a turn in which was read", async () => {
  const store = openForTest();
  const ann = await accountFor(store);
  await createTask(store, ann, TASK, BOT, NOON);
  await new Promise((resolve) => setImmediate(resolve));
  expect(highWater(store.reader, ann)).toBeGreaterThan(0);
  expect(store.reader.$client.inTransaction).toBe(true);
  expect(store.writer.emptyLog(0)).toBeNull();
});

test("a value that is forgotten is no NULL", () => {
  const store = openForTest();
  expect(() => selectAccount(store.reader).get({})).toThrow("There is no value of id");
});
