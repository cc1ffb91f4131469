import { mapInOrder } from "../../../src/domain/base/in-order.ts";
import { expect, test } from "bun:test";
import { listDeleted } from "../../../src/db/history/deleted.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { DELETED, goneWorld, NOT_KEPT } from "../../support/db/gone.ts";
import { accountFor, BOT } from "../../support/db/store.ts";
import { fileTabs, restoreDeleted } from "../../support/rules.ts";

const A = { url: "https://a.example/", title: "A" };

test.each([
  ["an empty payload", {}],
  ["its payload", { title: "Read", mood: 1 }],
  ["another payload", { title: "Bin" }],
])("A task deleted with %s is listed, and is restored to its last state", async (_name, bin) => {
  const { store, ann, now, phone, restore, listed, payload, tabs, row } = await goneWorld();
  await phone.push("t1", { title: "Read", mood: 1, pages: [] });
  await fileTabs(store, ann, "t1", [A], BOT, now());
  const before = await payload("t1");
  await phone.pull();
  await phone.push("t1", bin, DELETED);
  expect(await listed()).toEqual(["t1 deleted: Read"]);
  const restored = await restore("t1");
  expect(restored).toEqual(await row("t1"));
  expect([await payload("t1"), await tabs("t1"), (await row("t1")).live]).toEqual([
    before,
    ["A: bot"],
    1,
  ]);
  expect((await row("t1")).updated).toBe((await row("t1")).changedAt);
  expect(await listed()).toEqual([]);
});

test("A task that two devices deleted is restored to its state before the first deletion", async () => {
  const { phone, laptop, restore, listed, payload } = await goneWorld();
  await phone.push("t1", { title: "Read" });
  await phone.push("t1", { title: "Bin" }, DELETED);
  await laptop.push("t1", { title: "Other bin" }, { deleted_at: formatInstant(NOON + 1) });
  expect(await listed()).toEqual(["t1 deleted: Read"]);
  await restore("t1");
  expect(await payload("t1")).toEqual({ title: "Read" });
});

test("A task in the trash is restored to its previous bucket, or to none", async () => {
  const { phone, restore, listed, payload, row } = await goneWorld();
  const [buckets, bucket_id] = [{ table: "sync_buckets" as const }, "trash"];
  await phone.push("b1", { kind: "later" }, buckets);
  await phone.push("b2", { kind: "later" }, buckets);
  await phone.push("t1", { title: "1", bucket_id: "b1" });
  await phone.push("t2", { title: "2", bucket_id: "b2" });
  await phone.push("t3", { title: "3", bucket_id });
  await phone.push("b2", {}, { ...buckets, ...DELETED });
  await phone.push("t1", { title: "1", bucket_id });
  await phone.push("t1", { title: "1", bucket_id, mood: 1 });
  await phone.push("t2", { title: "2", bucket_id });
  expect(await listed()).toEqual([
    "t2 trashed: 2",
    "t1 trashed: 1",
    "b2 deleted: ",
    "t3 trashed: 3",
  ]);
  for (const id of ["t1", "t2", "t3"]) await restore(id);
  expect(await payload("t1")).toEqual({ title: "1", bucket_id: "b1", mood: 1 });
  expect(await payload("t2")).toEqual({ title: "2", bucket_id: null });
  expect(await payload("t3")).toEqual({ title: "3", bucket_id: null });
  expect(await mapInOrder(["t1", "t2", "t3"], async (id) => (await row(id)).live)).toEqual([
    1, 1, 1,
  ]);
});

test("A task whose bucket became a trash bucket is restored to no bucket, and the bucket stays", async () => {
  const { phone, restore, listed, payload, row } = await goneWorld();
  await phone.push("b1", { kind: "later" }, { table: "sync_buckets" });
  await phone.push("t1", { title: "1", bucket_id: "b1" });
  await phone.push("b1", { kind: "trash" }, { table: "sync_buckets" });
  expect(await listed()).toEqual(["t1 trashed: 1"]);
  await restore("t1");
  expect([await payload("t1"), (await row("t1")).live]).toEqual([
    { title: "1", bucket_id: null },
    1,
  ]);
  expect((await row("b1", "sync_buckets")).trashed).toBe(1);
});

test("A task deleted while in the trash is restored out of the trash", async () => {
  const { phone, restore, payload, row } = await goneWorld();
  await phone.push("t1", { title: "1", bucket_id: null });
  await phone.push("t1", { title: "1", bucket_id: "trash" });
  await phone.push("t1", {}, DELETED);
  await restore("t1");
  expect([await payload("t1"), (await row("t1")).live]).toEqual([
    { title: "1", bucket_id: null },
    1,
  ]);
});

test("Folders and buckets can be restored too", async () => {
  const { phone, restore, gone, payload, row } = await goneWorld();
  for (const [table, id, one] of [
    ["sync_projects", "p1", { name: "Home", colour: "red" }],
    ["sync_buckets", "b1", { name: "Bin", kind: "trash" }],
  ] as const) {
    await phone.push(id, one, { table });
    await phone.push("t1", { title: "a", bucket_id: "b1" });
    await phone.push(id, {}, { table, ...DELETED });
    const [listed] = await gone();
    expect([listed?.table, listed?.title, listed?.payload]).toEqual([table, one.name, one]);
    await restore(id, table);
    expect(await payload(id, table)).toEqual(one);
  }
  expect((await row("t1")).trashed).toBe(1);
});

test("A record that first arrived deleted is restored to what was sent then, if anything was", async () => {
  const { phone, restore, listed, gone, payload, row } = await goneWorld();
  await phone.push("t1", { title: "Offline", deleted_at: formatInstant(NOON) }, DELETED);
  await phone.push("t2", {}, DELETED);
  expect(await listed()).toEqual(["t2 deleted: ", "t1 deleted: Offline"]);
  expect((await gone()).map((one) => one.payload !== null)).toEqual([false, true]);
  await restore("t1");
  // Otherwise a device that sends it back would delete the record with it.
  expect([await payload("t1"), (await row("t1")).live]).toEqual([
    { title: "Offline", deleted_at: null },
    1,
  ]);
  const before = await row("t2");
  expect(await refused(() => restore("t2"))).toEqual(NOT_KEPT);
  expect(await row("t2")).toEqual(before);
});

test("A record that is neither deleted nor trashed stays as it is, and one that never existed is refused", async () => {
  const { phone, restore, row } = await goneWorld();
  await phone.push("t1", { title: "a" });
  await phone.push("b1", { kind: "trash" }, { table: "sync_buckets" });
  const before = [await row("t1"), await row("b1", "sync_buckets")];
  await restore("t1");
  await restore("b1", "sync_buckets");
  expect([await row("t1"), await row("b1", "sync_buckets")]).toEqual(before);
  expect(await refused(() => restore("t9"))).toEqual({
    reason: "not_found",
    message: "Task not found. It may have been deleted.",
    headers: {},
  });
});

test("A device that deletes a task without knowing that it was restored does not undo the restore", async () => {
  const { phone, laptop, restore, row, payload } = await goneWorld();
  await phone.push("t1", { title: "Read" });
  await laptop.pull();
  await phone.push("t1", {}, DELETED);
  await laptop.pull();
  const before = (await row("t1")).updated;
  await restore("t1");
  const again = { ...DELETED, at: before };
  await phone.push("t1", {}, again);
  expect((await row("t1")).live).toBe(1);
  await laptop.push("t1", { title: "Bin" }, DELETED);
  expect([(await row("t1")).live, await payload("t1")]).toEqual([1, { title: "Read" }]);
  await laptop.pull();
  await laptop.push("t1", { title: "Bin" }, DELETED);
  expect((await row("t1")).live).toBe(0);
});

test("A task that a person took out of the trash is not put back by a device that had not pulled it", async () => {
  const { phone, laptop, restore, payload } = await goneWorld();
  await phone.push("t1", { title: "Read", bucket_id: null });
  await phone.push("t1", { title: "Read", bucket_id: "trash" });
  await laptop.pull();
  await restore("t1");
  await laptop.push("t1", { title: "Read", bucket_id: "trash", mood: 1 });
  expect(await payload("t1")).toEqual({ title: "Read", bucket_id: null, mood: 1 });
});

test("Nothing of another account is listed or restored", async () => {
  const { store, phone, now, row } = await goneWorld();
  const bob = await accountFor(store, "bob@example.org");
  await phone.push("t1", { title: "Read" });
  await phone.push("t1", {}, DELETED);
  const before = await row("t1");
  expect(await listDeleted(store, bob, { after: null, limit: 9 }, now())).toEqual({
    rows: [],
    next: null,
  });
  expect(await refused(() => restoreDeleted(store, bob, "sync_tasks", "t1", now()))).toMatchObject({
    reason: "not_found",
  });
  expect(await row("t1")).toEqual(before);
});
