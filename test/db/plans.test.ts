import { beforeAll, expect, test } from "bun:test";
import { authenticate } from "../../src/db/people/credentials.ts";
import { listFolders } from "../../src/db/records/lists/folder-list.ts";
import { openStore } from "../../src/db/open.ts";
import type { Store } from "../../src/db/store.ts";
import { openPull, pullRows } from "../../src/db/records/pull.ts";
import { findStoredReply } from "../../src/db/calls/idempotency.ts";
import { readTaskView } from "../../src/db/records/lookup.ts";
import { listTasks, readFound } from "../../src/db/records/lists/task-list.ts";
import type { TaskFilter } from "../../src/db/records/lists/task-filter.ts";
import { readFilter } from "../../src/server/tasks/filter.ts";
import { tokenTimes } from "../../src/db/calls/activity.ts";
import { hasFolder, readNames } from "../../src/db/records/named-folders.ts";
import { readWords } from "../../src/domain/tasks/search.ts";
import { cryptoRandom, mintSecret } from "../../src/domain/base/secret.ts";
import { NOON, testDirectory } from "../support/server.ts";
import { scannedIn, writePlans } from "../support/db/plans.ts";
import { PHONE, accountFor, recordOf } from "../support/db/store.ts";
import { createFolder, pushChanges } from "../support/rules.ts";

const directory = testDirectory();

/** Tasks of two accounts, so that the index has to choose. */
beforeAll(async () => {
  const store = await openStore({ directory, role: "server", now: NOON });
  for (const email of ["ann@example.org", "bob@example.org"]) {
    const id = await accountFor(store, email);
    const tasks = Array.from({ length: 300 }, (_, at) => {
      const payload = { project_id: `p${at % 5}`, status: ["todo", "done"][at % 2] };
      return recordOf(`t${at}`, NOON, { ...payload, pages: [{ url: `https://${at}/` }] });
    });
    await pushChanges(store, id, null, tasks, NOON);
    await createFolder(store, id, { name: "Home", colour: null }, PHONE, NOON);
  }
  await store.close();
});

const ALL = readFilter({});
const list =
  (filter: Partial<TaskFilter>, after = false) =>
  (store: Store) =>
    listTasks(
      store,
      1,
      null,
      { ...ALL, ...filter },
      { after: after ? { tier: 0, changedAt: NOON, id: "t7" } : null, first: NOON, limit: 50 },
      NOON,
    );

const KEYED = { credentialId: "k1", method: "POST", path: "/", idempotencyKey: "k", bodyHash: "" };

const pull = async (store: Store): Promise<void> => {
  const window = await openPull(store, 1, null, null, NOON);
  // 300 rows are two chunks, the second requested from where the first ended.
  const chunks = await Array.fromAsync(pullRows(store, 1, "sync_tasks", window));
  expect(chunks.length).toBe(2);
};

/** Those that an index has in the order of the list. */
const IN_ORDER: readonly Partial<TaskFilter>[] = [
  {},
  { since: NOON - 1 },
  { folderId: "p1" },
  { folderId: "none" },
  { statuses: ["done"] },
];
/** Those of which some tasks are sorted at a time, or a few that an index names. */
const SORTED: readonly Partial<TaskFilter>[] = [
  { folderId: "p1", closed: true },
  { folderId: "none", statuses: ["todo", "x"] },
  { statuses: ["todo"], folderId: "p1", columns: { created_by: "person" }, since: 1 },
  { columns: { tag: "home" }, closed: true },
  { columns: { due_after: "2026-03-01", due_before: "2026-03-04" } },
  { url: "https://7/" },
];

/** The records that the word index has found. */
const found =
  (filter: Partial<TaskFilter>, after = false) =>
  ({ reader }: Store) =>
    readFound(
      reader,
      {
        accountId: 1,
        restriction: null,
        filter: { ...ALL, ...filter },
        page: { after: after ? { tier: 0, changedAt: NOON, id: "t7" } : null, limit: 50 },
      },
      { tiers: [["t1", "t3"]], partial: false },
    );

test("The usual lists are read in their order, and not sorted, however many tasks there are", async () => {
  const plans = await writePlans(directory, async (store) => {
    for (const filter of IN_ORDER)
      for (const after of [false, true]) await list(filter, after)(store);
  });
  expect(plans.length).toBeGreaterThan(10);
  expect(plans.filter((plan) => plan.includes("TEMP B-TREE"))).toEqual([]);
});

test("No list, pull, push or look-up reads a whole table", async () => {
  const plans = await writePlans(directory, async (store) => {
    for (const filter of [...IN_ORDER, ...SORTED]) await list(filter, true)(store);
    await found({ words: readWords("milk"), folderId: "p1", since: 1 }, true)(store);
    await pull(store);
    await openPull(store, 1, NOON - 1, 10, NOON);
    await listFolders(store, 1, null);
    await hasFolder(store.reader, 1, "Home", null);
    await readNames(store.reader, 1, null);
    await readTaskView(store, 1, null, "t7");
    await tokenTimes(store, "k1", 600);
    await findStoredReply(store, KEYED, NOON);
    for (const kind of ["live", "sess"] as const)
      await authenticate(store, mintSecret(kind, cryptoRandom), NOON);
    const bucket = recordOf("b1", NOON, { kind: "trash" }, { table: "sync_buckets" });
    await pushChanges(store, 1, null, [recordOf("t", NOON, { bucket_id: "b1" }), bucket], NOON);
  });
  expect(plans.length).toBeGreaterThan(20);
  expect(plans.flatMap(scannedIn)).toEqual([]);
});
