import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { addAccount, findAccount, listAccounts } from "../../../src/db/people/accounts.ts";
import { openStore } from "../../../src/db/open.ts";
import { openPull } from "../../../src/db/records/pull.ts";
import { listTasks } from "../../../src/db/records/lists/task-list.ts";
import { readFilter } from "../../../src/server/tasks/filter.ts";
import { SECOND } from "../../../src/domain/base/instant.ts";
import { NOON, testDirectory } from "../../support/server.ts";
import { refused } from "../../support/refused.ts";
import { startProcess } from "../../support/db/process.ts";
import { accountFor, openForTest, pushTask, type TestStore } from "../../support/db/store.ts";

const UNAVAILABLE = {
  reason: "unavailable" as const,
  message:
    "The server cannot write to its storage right now. Nothing was changed. Try again later.",
  headers: { "retry-after": "5" },
};

const DISK_FULL = {
  reason: "disk_full" as const,
  message: "The server's disk is full. Nothing was changed. Free some space and try again.",
  headers: {},
};

const ALL = readFilter({});
const FIRST_PAGE = { after: null, first: null, limit: 50 };
const person = { plan: "pro", passwordHash: null } as const;

// These two wait, so they run side by side; each has its own directory, removed afterwards.
const [waiting, stuck] = [testDirectory(), testDirectory()];

test.concurrent("While another process writes, reads are answered and writes wait", async () => {
  const store = await openStore({ directory: waiting, role: "server", now: NOON });
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const visitor = await openStore({ directory: waiting, role: "visitor", now: NOON });
  await pushTask(visitor, ann, "t0", NOON);
  await visitor.close();
  const other = await startProcess("hold the write lock", waiting);
  const released = Bun.sleep(1.5 * SECOND).then(() => other.end());
  let written = false;
  const write = pushTask(store, ann, "t2", NOON + 1).then(() => (written = true));
  expect(await findAccount(store, "ann@example.org")).not.toBeNull();
  expect((await listTasks(store, ann, null, ALL, FIRST_PAGE, NOON)).rows).toHaveLength(2);
  // A pull that cannot write its lease goes on without it: it delivers what is there, and no more.
  const { until } = await openPull(store, ann, null, null, NOON + 60 * SECOND);
  expect([other.isRunning(), written]).toEqual([true, false]);
  expect(until).toBe(NOON + 10 * SECOND + 1);
  await Promise.all([write, released]);
  expect((await listTasks(store, ann, null, ALL, FIRST_PAGE, NOON)).rows).toHaveLength(3);
  const later = await openPull(store, ann, null, null, NOON + 60 * SECOND);
  expect(later.until).toBe(NOON + 60 * SECOND);
  await store.close();
});

test.concurrent("A write that waited for 5 s is refused, and later ones are not", async () => {
  const store = await openStore({ directory: stuck, role: "server", now: NOON });
  const other = await startProcess("hold the write lock", stuck);
  const ann = addAccount(store, "ann@example.org", person, NOON);
  const bob = addAccount(store, "bob@example.org", person, NOON);
  expect(await refused(() => ann)).toEqual(UNAVAILABLE);
  expect(await refused(() => bob)).toEqual(UNAVAILABLE);
  expect(other.isRunning()).toBe(true);
  const cleo = addAccount(store, "cleo@example.org", person, NOON);
  await other.end();
  await cleo;
  await addAccount(store, "dan@example.org", person, NOON);
  expect((await listAccounts(store)).map(({ email }) => email)).toEqual([
    "cleo@example.org",
    "dan@example.org",
  ]);
  await store.close();
});

test("A command in the server's own process waits for a long write of the server, and does not stop it", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const visitor = await openForTest({ directory: store.directory, role: "visitor" });
  // It goes on in another turn of the event loop, as a long push does.
  const long = store.writer.write(async () => {
    await Bun.sleep(100);
  });
  await Bun.sleep(20);
  const began = performance.now();
  await Promise.all([long, pushTask(visitor, ann, "t1", NOON)]);
  expect(performance.now() - began).toBeLessThan(5 * SECOND);
});

/** Lets the database grow by this many pages and no further, as a full disk would. */
const fillDisk = (store: TestStore, pages: number): Promise<void> =>
  store.writer.write(async (tx) => {
    const [used = 0] = (await tx.orm.get<number[]>(sql`pragma page_count`)) ?? [];
    await tx.orm.get(sql.raw(`pragma max_page_count = ${used + pages}`));
  });

const freeDisk = (store: TestStore): Promise<void> => fillDisk(store, 1e6);

test("On a full disk writes are refused and reads go on, and everything works again once there is space", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  await fillDisk(store, 2);
  const large = { title: "large", text: "x".repeat(100_000) };
  expect(await refused(() => pushTask(store, ann, "t2", NOON + 1, large))).toEqual(DISK_FULL);
  expect((await listTasks(store, ann, null, ALL, FIRST_PAGE, NOON)).rows).toHaveLength(1);
  await freeDisk(store);
  await pushTask(store, ann, "t2", NOON + 1, large);
  expect((await listTasks(store, ann, null, ALL, FIRST_PAGE, NOON)).rows).toHaveLength(2);
});

test("On a full disk no write of a commit is stored in part: each is done or refused", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await fillDisk(store, 2);
  const large = { text: "x".repeat(100_000) };
  const writes = [
    pushTask(store, ann, "t1", NOON),
    pushTask(store, ann, "t2", NOON, large),
    pushTask(store, ann, "t3", NOON),
  ];
  const outcomes = await Promise.allSettled(writes);
  expect(await refused(() => writes[1])).toEqual(DISK_FULL);
  await freeDisk(store);
  const { rows } = await listTasks(store, ann, null, ALL, FIRST_PAGE, NOON);
  const ids = rows.map((row) => (JSON.parse(row) as { id: string }).id);
  const done = ["t1", "t2", "t3"].filter((_, at) => outcomes[at]?.status === "fulfilled");
  expect(ids.toSorted()).toEqual(done);
});
