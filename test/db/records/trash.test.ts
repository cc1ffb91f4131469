import { expect, test } from "bun:test";
import type { Editor } from "../../../src/domain/people/account.ts";
import { listFolders } from "../../../src/db/records/lists/folder-list.ts";
import { readTaskView } from "../../../src/db/records/lookup.ts";
import { listTasks } from "../../../src/db/records/lists/task-list.ts";
import { readFilter } from "../../../src/server/tasks/filter.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";
import { refused } from "../../support/refused.ts";
import {
  BOT,
  PHONE,
  accountFor,
  openForTest,
  recordOf,
  type TestStore,
  taskRow,
} from "../../support/db/store.ts";
import { createFolder, patchTask, pushChanges } from "../../support/rules.ts";

const ALL = readFilter({});
const PAGE = { after: null, first: null, limit: 200 };

/** ann's server, and what is in her list after each of her pushes. */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  let updated = NOON - 60_000;
  const push = async (...records: readonly object[]): Promise<void> => {
    const changes = records.map((fields) => ({ ...recordOf("t1", (updated += 1)), ...fields }));
    expect(await pushChanges(store, ann, null, changes, NOON)).toMatchObject({
      applied: records.length,
      rejected: [],
      invalid: [],
    });
  };
  const listed = async (statuses: readonly string[] | null = null): Promise<readonly string[]> =>
    (await listTasks(store, ann, null, { ...ALL, statuses }, PAGE, NOON)).rows
      .map((row) => (JSON.parse(row) as { id: string }).id)
      .toSorted();
  return { store, ann, push, listed };
};

const task = (id: string, payload: object) => ({ id, payload });
const bucket = (id: string, payload: object, more: object = {}) => ({
  table: "sync_buckets",
  id,
  payload,
  ...more,
});

test("A bucket that becomes a trash bucket takes its tasks into the trash, and later out of it", async () => {
  const { push, listed } = await world();
  await push(bucket("b1", { kind: "inbox" }));
  await push(task("t1", { bucket_id: "b1" }), task("t2", { bucket_id: "b2" }), task("t3", {}));
  expect(await listed()).toEqual(["t1", "t2", "t3"]);
  await push(bucket("b1", { kind: "trash" }));
  expect(await listed()).toEqual(["t2", "t3"]);
  expect(await listed(["todo"])).toEqual(["t2", "t3"]);
  await push(bucket("b1", { kind: "later" }));
  expect(await listed()).toEqual(["t1", "t2", "t3"]);
});

test("Tasks leave a trash bucket as what they were: open, closed or deleted", async () => {
  const { push, listed } = await world();
  const deleted_at = formatInstant(NOON);
  await push(
    bucket("b1", { kind: "trash" }),
    task("open", { bucket_id: "b1" }),
    task("closed", { bucket_id: "b1", status: "done" }),
    { id: "deleted", payload: { bucket_id: "b1" }, deleted_at },
  );
  expect([await listed(), await listed(["done"])]).toEqual([[], []]);
  await push(bucket("b1", {}));
  expect([await listed(), await listed(["done", "todo"])]).toEqual([["open"], ["closed", "open"]]);
});

test("It makes no difference whether the bucket or its tasks come first, in one push or in two", async () => {
  const trash = bucket("b1", { kind: "trash" });
  const t1 = task("t1", { bucket_id: "b1" });
  for (const order of [[[trash, t1]], [[t1, trash]], [[trash], [t1]], [[t1], [trash]]]) {
    const { push, listed } = await world();
    for (const records of order) await push(...records);
    expect(await listed()).toEqual([]);
  }
});

const inBucket = (id: string) => task(id, { bucket_id: "b1" });

test("A bucket that changes within a push counts as changed from there on", async () => {
  const { push, listed } = await world();
  await push(inBucket("t1"), bucket("b1", { kind: "trash" }), inBucket("t2"));
  expect(await listed()).toEqual([]);
  await push(inBucket("t3"), bucket("b1", {}), inBucket("t4"));
  expect(await listed()).toEqual(["t1", "t2", "t3", "t4"]);
});

test("The bucket with the id trash is a trash bucket, with or without a record of its own", async () => {
  const { push, listed } = await world();
  await push(task("t1", { bucket_id: "trash" }));
  expect(await listed()).toEqual([]);
  await push(bucket("trash", { kind: "inbox", name: "No trash at all" }));
  expect(await listed()).toEqual([]);
  await push(bucket("trash", {}, { deleted_at: formatInstant(NOON) }));
  expect(await listed()).toEqual([]);
  await push(task("t1", { bucket_id: null }));
  expect(await listed()).toEqual(["t1"]);
});

test("A trash bucket that is deleted is no longer a trash bucket", async () => {
  const { push, listed } = await world();
  await push(bucket("b1", { kind: "trash" }), task("t1", { bucket_id: "b1" }));
  await push(bucket("b1", { kind: "trash" }, { deleted_at: formatInstant(NOON) }));
  expect(await listed()).toEqual(["t1"]);
  await push(bucket("b1", { kind: "trash" }));
  expect(await listed()).toEqual([]);
});

test("One account's trash bucket has no effect in another account", async () => {
  const { store, push } = await world();
  const bob = await accountFor(store, "bob@example.org");
  await push(bucket("b1", { kind: "trash" }));
  await pushChanges(store, bob, null, [recordOf("t1", NOON, { bucket_id: "b1" })], NOON);
  expect((await listTasks(store, bob, null, ALL, PAGE, NOON)).rows).toHaveLength(1);
});

test("A folder counts the tasks that it would list: not trashed, deleted or closed ones", async () => {
  const { store, ann, push } = await world();
  const { id } = await createFolder(store, ann, { name: "Home", colour: null }, PHONE, NOON);
  const inFolder = (payload: object) => ({ project_id: id, ...payload });
  await push(
    task("t1", inFolder({})),
    task("t2", inFolder({ status: "done" })),
    task("t3", inFolder({ bucket_id: "b1" })),
    { ...task("t4", inFolder({})), deleted_at: formatInstant(NOON) },
  );
  const count = async (): Promise<unknown> =>
    (JSON.parse((await listFolders(store, ann, null))[0] ?? "") as { task_count: number })
      .task_count;
  expect(await count()).toBe(2);
  await push(bucket("b1", { kind: "trash" }));
  expect(await count()).toBe(1);
  expect(
    (await listTasks(store, ann, null, { ...ALL, folderId: id }, PAGE, NOON)).rows,
  ).toHaveLength(1);
});

const edit = (store: TestStore, ann: number, patch: object, actor: Editor) =>
  refused(() => patchTask(store, ann, "t1", { patch, ifMatch: null }, actor, NOON));

const NO_TASK = {
  reason: "not_found" as const,
  message: "Task not found. It may have been deleted. Ids come from GET /tasks.",
  headers: {},
};

test("A key that tries to change a task in the trash does not find it, but a person does", async () => {
  const { store, ann, push } = await world();
  await push(task("t1", { title: "a", bucket_id: "trash" }));
  expect(await edit(store, ann, { title: "b" }, BOT)).toEqual(NO_TASK);
  const change = { patch: { title: "b" }, ifMatch: null };
  await patchTask(store, ann, "t1", change, PHONE, NOON);
  expect((await taskRow(store, ann, "t1")).title).toBe("b");
});

test("Nobody moves a task into a trash bucket over REST, whatever made it one", async () => {
  const { store, ann, push } = await world();
  await push(task("t1", {}), bucket("b1", { kind: "trash" }));
  for (const bucket_id of ["trash", "b1"]) {
    expect(await edit(store, ann, { bucket_id }, BOT)).toEqual({
      reason: "forbidden",
      message:
        "An API key can never delete anything, so it cannot send the bucket_id of a trash bucket. Nothing was changed.",
      headers: {},
    });
    expect(await edit(store, ann, { bucket_id }, PHONE)).toEqual({
      reason: "invalid",
      message:
        "You cannot send the bucket_id of a trash bucket here. To delete a record or move a task to the trash, use POST /sync. Nothing was changed.",
      headers: {},
    });
  }
  expect((await readTaskView(store, ann, null, "t1")).payload).toBe("{}");
});
