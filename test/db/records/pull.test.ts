import { expect, test } from "bun:test";
import { openPull, type Pull, pullRows } from "../../../src/db/records/pull.ts";
import { DAY, formatInstant, type Instant } from "../../../src/domain/base/instant.ts";
import { type Table, TABLES } from "../../../src/domain/base/record.ts";
import { NOON } from "../../support/server.ts";
import {
  accountFor,
  openForTest,
  pushTask,
  recordOf,
  type TestStore,
} from "../../support/db/store.ts";
import { pushChanges } from "../../support/rules.ts";

const read = async (
  store: TestStore,
  ann: number,
  window: Pull,
  table: Table = "sync_tasks",
): Promise<readonly { readonly id: string }[]> => {
  const chunks = await Array.fromAsync(pullRows(store, ann, table, window));
  return chunks.flat().map((text) => {
    const { rev: _rev, ...row } = JSON.parse(text) as { id: string; rev: string };
    return row;
  });
};
const ids = async (store: TestStore, ann: number, window: Pull): Promise<readonly string[]> => {
  const tables = await Promise.all(TABLES.map((table) => read(store, ann, window, table)));
  return tables.flat().map(({ id }) => id);
};
const pull = (
  store: TestStore,
  ann: number,
  since: Instant | null,
  limit: number | null = null,
  now = NOON,
) => openPull(store, ann, since, limit, now);

test("A pull without a cursor delivers everything, including tombstones, in order of change", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const tombstone = recordOf("gone", NOON, {}, { deleted_at: formatInstant(NOON) });
  await pushTask(store, ann, "t2", NOON);
  await pushTask(store, ann, "t1", NOON);
  await pushChanges(
    store,
    ann,
    null,
    [tombstone, recordOf("f1", NOON, { name: "Home" }, { table: "sync_projects" })],
    NOON,
  );
  const window = await pull(store, ann, null);
  expect(await read(store, ann, window)).toEqual([
    {
      id: "t2",
      updated_at: formatInstant(NOON),
      deleted_at: null,
      payload: { title: "t2" },
      created_by: "person",
    },
    {
      id: "t1",
      updated_at: formatInstant(NOON),
      deleted_at: null,
      payload: { title: "t1" },
      created_by: "person",
    },
    {
      id: "gone",
      updated_at: formatInstant(NOON),
      deleted_at: formatInstant(NOON),
      payload: {},
      created_by: "person",
    },
  ] as never);
  expect(await ids(store, ann, window)).toEqual(["t2", "t1", "gone", "f1"]);
});

test("A pull since a server_time delivers only later changes, and nothing twice", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const first = await pull(store, ann, null);
  expect(await pull(store, ann, first.until)).toMatchObject({ empty: true, hasMore: false });
  await pushTask(store, ann, "t2", NOON + 1);
  const second = await pull(store, ann, first.until);
  expect([second.empty, await ids(store, ann, second)]).toEqual([false, ["t2"]]);
  expect((await pull(store, ann, second.until)).empty).toBe(true);
});

test("A cursor ahead of the server's time, or before all time, delivers everything", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  for (const since of [NOON + 1, NOON + DAY, 0, -DAY]) {
    const window = await pull(store, ann, since);
    expect([since, await ids(store, ann, window)]).toEqual([since, ["t1"]]);
  }
});

test("Nobody pulls another account's records, even if the ids are the same", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  await pushTask(store, ann, "same", NOON, { title: "Ann's" });
  await pushTask(store, bob, "same", NOON, { title: "Bob's" });
  await pushTask(store, ann, "t1", NOON);
  const window = await pull(store, bob, null);
  expect(await read(store, bob, window)).toMatchObject([
    { id: "same", payload: { title: "Bob's" } },
  ] as never);
});

/** Many commits of uneven size, with large payloads between small ones. */
const many = async (store: TestStore, ann: number): Promise<readonly string[]> => {
  const all: string[] = [];
  for (let commit = 0; commit < 20; commit++) {
    const records = Array.from({ length: 1 + ((commit * 7) % 23) }, (_, at) => {
      const id = `t${String(commit).padStart(2, "0")}-${String(at).padStart(2, "0")}`;
      const text = "x".repeat((commit * at) % 5 === 4 ? 60_000 : 100);
      return recordOf(id, NOON, { text });
    });
    all.push(...records.map(({ id }) => id));
    await pushChanges(store, ann, null, records, NOON + commit);
  }
  return all;
};

test("A large window comes in chunks of bounded size, each row once and in order", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const all = await many(store, ann);
  const window = await pull(store, ann, null, null, NOON + 100);
  const chunks = await Array.fromAsync(pullRows(store, ann, "sync_tasks", window));
  expect(chunks.flat().map((row) => (JSON.parse(row) as { id: string }).id)).toEqual([...all]);
  expect(chunks.length).toBeGreaterThan(4);
  for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(256);
});

test("A row that changes while a pull is read comes with the next pull, and no row is lost", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const all = await many(store, ann);
  const window = await pull(store, ann, null, null, NOON + 100);
  const seen = new Set<string>();
  const chunks = pullRows(store, ann, "sync_tasks", window);
  const first = await chunks.next();
  for (const row of first.done ? [] : first.value) seen.add((JSON.parse(row) as { id: string }).id);
  const changed = [all[0], all[70], all.at(-1)].filter((id) => id !== undefined);
  for (const id of changed) await pushTask(store, ann, id, NOON + 200);
  for await (const chunk of chunks)
    for (const row of chunk) seen.add((JSON.parse(row) as { id: string }).id);
  expect(all.filter((id) => !seen.has(id))).toEqual([all[70] ?? "", all.at(-1) ?? ""]);
  const next = await pull(store, ann, window.until, null, NOON + 300);
  expect(await ids(store, ann, next)).toEqual(changed);
});

test.each([1, 2, 10, 23, 100, 10_000])(
  "Pages of %d deliver whole commits, each row once",
  async (limit) => {
    const store = await openForTest();
    const ann = await accountFor(store);
    const all = await many(store, ann);
    const seen: string[] = [];
    let since: Instant | null = null;
    for (;;) {
      const page = await pull(store, ann, since, limit, NOON + 100);
      const found = await ids(store, ann, page);
      const commits = new Set(found.map((id) => id.slice(0, 3)));
      const whole = all.filter((id) => commits.has(id.slice(0, 3)));
      expect(found).toEqual(whole);
      if (page.hasMore) expect(found.length).toBeGreaterThanOrEqual(limit);
      const before = found.filter((id) => id.slice(0, 3) !== found.at(-1)?.slice(0, 3));
      expect(before.length).toBeLessThan(limit);
      seen.push(...found);
      since = page.until;
      if (!page.hasMore) break;
    }
    expect(seen).toEqual([...all]);
    expect(since).toBe(NOON + 100);
  },
);

const both = (id: string) => TABLES.map((table) => recordOf(id, NOON, {}, { table }));

test("A page over several tables ends after the same commit in each", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushChanges(store, ann, null, both("r1"), NOON);
  await pushChanges(store, ann, null, both("r2"), NOON + 1);
  const first = await pull(store, ann, null, 2, NOON + 5);
  expect([first.until, first.hasMore, await ids(store, ann, first)]).toEqual([
    NOON,
    true,
    ["r1", "r1", "r1"],
  ]);
  const second = await pull(store, ann, first.until, 3, NOON + 5);
  expect([second.until, second.hasMore, await ids(store, ann, second)]).toEqual([
    NOON + 5,
    false,
    ["r2", "r2", "r2"],
  ]);
});
