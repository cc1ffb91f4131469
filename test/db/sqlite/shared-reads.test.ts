import { expect, test } from "bun:test";
import { selectAccount } from "../../../src/db/people/credentials.ts";
import { findRecord } from "../../../src/db/records/find.ts";
import { highWater } from "../../../src/db/records/clock.ts";
import { openStore } from "../../../src/db/open.ts";
import { NOON } from "../../support/server.ts";
import {
  accountFor,
  BOT,
  directoryForTest,
  openForTest,
  clientOf,
} from "../../support/db/store.ts";
import { createTask } from "../../support/rules.ts";

const TASK = { title: "bread", tabs: [], notes: [] };

test("A read after a confirmed write sees it, even within the same turn of the event loop", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const written = createTask(store, ann, TASK, BOT, NOON);
  expect(await highWater(store.reader, ann)).toBe(0);
  const { id } = await written;
  expect((await findRecord(store.reader, ann, "sync_tasks", id))?.title).toBe("bread");
});

test("Reads of one turn see the same data, and those of the next turn see what another process wrote", async () => {
  const directory = directoryForTest();
  const store = await openForTest({ directory });
  const ann = await accountFor(store);
  const other = await openForTest({ directory, role: "visitor" });
  expect(clientOf(store.reader).inTransaction).toBe(false);
  expect(await highWater(store.reader, ann)).toBe(0);
  expect(clientOf(store.reader).inTransaction).toBe(true);
  const { changedAt } = await createTask(other, ann, TASK, BOT, NOON);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clientOf(store.reader).inTransaction).toBe(false);
  expect(await highWater(store.reader, ann)).toBe(changedAt);
});

test("A store can be closed in a turn that has read from it", async () => {
  const directory = directoryForTest();
  const store = await openStore({ directory, role: "server", now: NOON });
  const ann = await accountFor(store);
  const closed = store.close();
  expect(await highWater(store.reader, ann)).toBe(0);
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
});

test("The log can be emptied in a turn that has read", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await createTask(store, ann, TASK, BOT, NOON);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await highWater(store.reader, ann)).toBeGreaterThan(0);
  expect(clientOf(store.reader).inTransaction).toBe(true);
  expect(store.writer.emptyLog(0)).toBeNull();
});

test("A missing parameter is an error, not NULL", async () => {
  const store = await openForTest();
  expect(() => selectAccount(store.reader).get({})).toThrow("There is no value of id");
});
