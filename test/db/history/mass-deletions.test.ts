import { mapInOrder } from "../../../src/domain/base/in-order.ts";
import { expect, test } from "bun:test";
import { listDeletions, restoreDeletion } from "../../../src/db/history/mass-deletions.ts";
import { DAY, formatInstant, type Instant, MINUTE } from "../../../src/domain/base/instant.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { annsRecords } from "../../support/db/past.ts";
import { accountFor, BOT, openForTest, type TestStore } from "../../support/db/store.ts";
import { patchTask, restoreDeleted } from "../../support/rules.ts";

type Span = readonly [from: number, to: number];

const tasks = ([from, to]: Span, at: Instant, more: object) =>
  Array.from({ length: to - from }, (_, index) => ({
    table: "sync_tasks",
    id: `t${from + index}`,
    updated_at: formatInstant(at),
    payload: { title: `${from + index}`, mood: [1] },
    ...more,
  }));

/** ann's tasks t0, t1 and so on, on her phone, and her laptop. */
const world = async (count: number, given?: TestStore) => {
  const store = given ?? (await openForTest());
  const records = await annsRecords(store);
  const { ann, now, device, rows } = records;
  const [phone, laptop] = [device("phone"), device("laptop")];
  const bury = (span: Span = [0, count], by = phone, sent = now(), at = sent) =>
    by.send(tasks(span, at, { payload: {}, deleted_at: formatInstant(NOON) }), sent);
  const revive = (span: Span, by = phone, at = now()) => by.send(tasks(span, at, {}), at);
  await revive([0, count]);
  const notes = (at = now()) => listDeletions(store, ann, at);
  const restore = async (nth = 0) =>
    restoreDeletion(store, ann, (await notes())[nth]?.id ?? 0, now());
  const alive = async () => (await rows()).filter(({ deletedAt }) => deletedAt === null).length;
  return { ...records, phone, laptop, bury, revive, notes, restore, alive };
};

test("A push that deletes 101 records is applied and noted; one that deletes 100 is not noted", async () => {
  const { ann, bury, phone, notes, alive, row } = await world(201);
  expect(await bury([0, 100])).toMatchObject({ applied: 100 });
  expect(await notes()).toEqual([]);
  expect(await bury([100, 201])).toMatchObject({ applied: 101 });
  expect(await alive()).toBe(0);
  expect(await notes()).toEqual([
    {
      id: 1,
      accountId: ann,
      sessionId: phone.sessionId,
      at: NOON + 4 * MINUTE,
      stamp: (await row("t100")).changedAt,
      records: 101,
      restoredAt: null,
    },
  ]);
});

test("Everything is restored as it was, and a second restore finds nothing to do", async () => {
  const { bury, notes, restore, alive, payload, rows } = await world(120);
  await bury();
  expect(await restore()).toBe(120);
  expect([await alive(), await payload("t7")]).toEqual([120, { title: "7", mood: [1] }]);
  const [before, [noted]] = [await rows(), await notes()];
  expect(noted?.restoredAt).toBeGreaterThan(noted?.at ?? 0);
  expect(await restore()).toBe(0);
  expect(await rows()).toEqual(before);
});

test("Records deleted earlier, restored since, or deleted again after that stay as they are", async () => {
  const { store, ann, now, bury, revive, restore, row, rows } = await world(130);
  await bury([0, 3]);
  // Three of them again: one more tombstone, but no deletion.
  await bury([0, 130]);
  await restoreDeleted(store, ann, "sync_tasks", "t3", now());
  await revive([4, 6]);
  await bury([5, 6]);
  const alone = ["t0", "t1", "t2", "t3", "t4", "t5"];
  const before = await mapInOrder(alone, row);
  expect(await restore()).toBe(124);
  expect(await mapInOrder(alone, row)).toEqual(before);
  expect((await rows()).filter(({ deletedAt }) => deletedAt !== null)).toHaveLength(4);
});

test("Records that another device also deleted, or deleted again, are restored: they never came back in between", async () => {
  const { laptop, bury, restore, alive } = await world(110);
  await bury();
  await bury([0, 20], laptop);
  expect(await restore()).toBe(110);
  expect(await alive()).toBe(110);
});

test.each([
  ["far ahead", 10 * MINUTE],
  ["behind, and keys have written since", -2 * MINUTE],
])("A push is noted even if its clock is %s", async (_name, off) => {
  const { store, ann, now, bury, notes, restore, alive } = await world(101);
  now();
  now();
  for (let at = 0; at < 101; at += 1)
    await patchTask(
      store,
      ann,
      `t${at}`,
      { patch: { status: "x" }, ifMatch: null },
      BOT,
      NOON + 4 * MINUTE,
    );
  const sent = now();
  await bury([0, 101], undefined, sent, sent + off);
  expect([await alive(), (await notes()).map(({ records }) => records)]).toEqual([0, [101]]);
  expect(await restore()).toBe(101);
});

test("What a stop left over is restored by the next request", async () => {
  const { store, now, bury, notes, restore, alive } = await world(160);
  await bury();
  let left = 2;
  const stopping: TestStore = {
    ...store,
    transaction: (...job) =>
      (left -= 1) < 0 ? Promise.reject(new Error("stopped")) : store.transaction(...job),
  };
  const [noted] = await notes();
  const started = restoreDeletion(stopping, noted?.accountId ?? 0, noted?.id ?? 0, now());
  expect(await started.catch(String)).toBe("Error: stopped");
  const some = await alive();
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(160);
  expect((await notes())[0]?.restoredAt).toBeNull();
  expect(await restore()).toBe(160 - some);
  expect(await alive()).toBe(160);
});

test("Two clicks at the same time restore each record once", async () => {
  const { bury, restore, past } = await world(120);
  await bury();
  const [one, other] = await Promise.all([restore(), restore()]);
  expect(one + other).toBe(120);
  expect((await past("t0")).map(({ version }) => version.loss)).toEqual(["restored", "deleted"]);
});

test("Records of all three tables count, and folders and buckets are restored too", async () => {
  const { phone, restore, notes, row, now } = await world(0);
  const tables = ["sync_tasks", "sync_projects", "sync_buckets"];
  const changes = (deleted: boolean, at: Instant) =>
    Array.from({ length: 102 }, (_, index) => ({
      table: tables[index % 3],
      id: `r${index}`,
      updated_at: formatInstant(at),
      payload: deleted ? {} : { title: "a", name: "b", kind: "c" },
      deleted_at: deleted ? formatInstant(at) : null,
    }));
  await phone.send(changes(false, now()));
  await phone.send(changes(true, now()));
  expect((await notes()).map(({ records }) => records)).toEqual([102]);
  expect(await restore()).toBe(102);
  expect((await row("r2", "sync_buckets")).payload).toBe('{"title":"a","name":"b","kind":"c"}');
});

test("Deletions are listed newest first, for 90 days", async () => {
  const { bury, revive, notes } = await world(240);
  await bury([0, 120]);
  await bury([120, 240]);
  await revive([0, 120]);
  await bury([0, 110]);
  const records = async (at?: Instant) => (await notes(at)).map((one) => one.records);
  expect(await records()).toEqual([110, 120, 120]);
  const first = (await notes())[2]?.at ?? 0;
  expect(await records(first + 90 * DAY)).toEqual([110, 120, 120]);
  expect(await records(first + 90 * DAY + 1)).toEqual([110, 120]);
});

test("Another account's deletion is neither listed nor restored", async () => {
  const store = await openForTest();
  const { bury, notes, alive, now } = await world(101, store);
  const bob = await accountFor(store, "bob@example.org");
  await bury();
  const before = await notes();
  const [noted] = before;
  expect(await listDeletions(store, bob, now())).toEqual([]);
  expect(await refused(() => restoreDeletion(store, bob, noted?.id ?? 0, now()))).toEqual({
    reason: "not_found",
    message: "This deletion can no longer be restored.",
    headers: {},
  });
  expect([await alive(), await notes()]).toEqual([0, before]);
});
