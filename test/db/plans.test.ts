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
import { isOfNames, scannedIn, writePlans } from "./_plans.ts";
import { PHONE, accountFor, recordOf } from "./_store.ts";
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

const allPlansOf = (work: (store: Store) => unknown) => writePlans(directory, work);
/** Without the query that names the folders of a page. */
const plansOf = async (work: (store: Store) => unknown) =>
  (await allPlansOf(work)).filter((plan) => !isOfNames(plan));

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

const byName = async ({ reader }: Store) =>
  (await hasFolder(reader, 1, "Home", null)) || (await readNames(reader, 1, null));

test.each<[string, (store: Store) => unknown, string]>([
  ["the default list", list({}), "record_open (account_id=? AND open=?)"],
  [
    "its next pages",
    list({}, true),
    "record_open (account_id=? AND open=? AND (changed_at,id)<(?,?))",
  ],
  [
    "the list since a time",
    list({ since: NOON - 1 }),
    "record_open (account_id=? AND open=? AND changed_at>?)",
  ],
  [
    "a folder's list",
    list({ folderId: "p1" }),
    "record_folder (account_id=? AND folder_id=? AND open=?)",
  ],
  [
    "its next pages",
    list({ folderId: "p1" }, true),
    "record_folder (account_id=? AND folder_id=? AND open=? AND (changed_at,id)<(?,?))",
  ],
  [
    "the list of tasks in no folder",
    list({ folderId: "none" }),
    "record_folder (account_id=? AND folder_id=? AND open=?)",
  ],
  ["a status's list", list({ statuses: ["done"] }), "record_status (account_id=? AND status=?)"],
  [
    "its next pages",
    list({ statuses: ["done"] }, true),
    "record_status (account_id=? AND status=? AND (changed_at,id)<(?,?))",
  ],
])("An index serves %s, in order", async (_name, work, index) => {
  expect(await plansOf(work)).toEqual([`SEARCH record USING INDEX ${index}`]);
});

// An index that holds deleted tasks as well would be walked through all of them: there may be a million.
test.each<[string, Partial<TaskFilter>, string]>([
  ["the list of open and closed tasks", {}, "record_open (account_id=? AND open=?"],
  [
    "the same of one folder",
    { folderId: "p1" },
    "record_folder (account_id=? AND folder_id=? AND open=?",
  ],
])("An index without deleted tasks serves %s", async (_name, filter, index) => {
  for (const after of [false, true]) {
    const [plan] = await plansOf(list({ ...filter, closed: true }, after));
    expect(plan).toStartWith(`SEARCH record USING INDEX ${index}`);
  }
});

test("One query names the folders of all tasks of a page, each by its key", async () => {
  const plans = await allPlansOf(list({}));
  expect(plans.filter(isOfNames)).toHaveLength(1);
  expect(plans).toHaveLength(2);
});

test.each<[string, Partial<TaskFilter>, string]>([
  ["the tasks due before a day", { columns: { due_before: "2026-03-04" } }, "due<?"],
  ["the tasks due after a day", { columns: { due_after: "2026-03-04" } }, "due>?"],
  [
    "the tasks due between two days",
    { columns: { due_after: "2026-03-01", due_before: "2026-03-04" }, statuses: ["todo"] },
    "due>? AND due<?",
  ],
])("An index finds %s, which are then sorted", async (_name, filter, range) => {
  const [counted, read] = await plansOf(list(filter));
  expect(counted).toContain("SEARCH record USING COVERING INDEX record_due (account_id=? AND due>");
  expect(read).toBe(
    `SEARCH record USING INDEX record_due (account_id=? AND ${range}); USE TEMP B-TREE FOR ORDER BY`,
  );
});

const OPEN = "record_open (account_id=? AND open=?)";
const FOLDER = "record_folder (account_id=? AND folder_id=? AND open=?)";
const DONE = "record_status (account_id=? AND status=?)";

test.each<[string, Partial<TaskFilter>, string]>([
  ["agents' tasks", { columns: { created_by: "agent" } }, OPEN],
  ["tasks with a tag", { columns: { tag: "home" } }, OPEN],
  ["tasks with a tag, closed ones too", { columns: { tag: "home" }, closed: true }, OPEN],
  ["tasks with a tag, in a folder", { columns: { tag: "home" }, folderId: "p1" }, FOLDER],
  ["tasks of two statuses", { statuses: ["todo", "done"] }, OPEN],
  ["tasks of two statuses, in no folder", { statuses: ["todo", "x"], folderId: "none" }, FOLDER],
  ["tasks of a status, in a folder", { statuses: ["done"], folderId: "p1" }, DONE],
  ["tasks of a status with a tag", { statuses: ["done"], columns: { tag: "home" } }, DONE],
])(
  "The list of %s is a walk along an index, some tasks at a time",
  async (_name, filter, index) => {
    const [end, tasks] = await plansOf(list(filter));
    expect(end).toStartWith(`SEARCH record USING COVERING INDEX ${index}`);
    expect(tasks).toStartWith(`CO-ROUTINE record; SEARCH record USING INDEX ${index}`);
    expect(tasks).toContain("SCAN record");
  },
);

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

test.each([
  ["a search", found({ words: readWords("milk") })],
  ["its next pages", found({ words: readWords("milk tea") }, true)],
  ["a search in a folder", found({ words: readWords("milk"), folderId: "p1", since: 1 })],
  ["a search that includes closed tasks", found({ words: readWords("milk"), closed: true })],
  ["a search for an address", found({ url: "https://1/" })],
])("Of %s, only the records that the word index names are read", async (_name, work) => {
  expect(await plansOf(work)).toEqual([
    [
      "SCAN tiers VIRTUAL TABLE INDEX 1:",
      "SCAN hit VIRTUAL TABLE INDEX 1:",
      "SEARCH record USING INDEX sqlite_autoindex_record_1 (account_id=? AND tbl=? AND id=?)",
      "USE TEMP B-TREE FOR ORDER BY",
    ].join("; "),
  ]);
});

test("A pull continues in its index from where it left off, chunk by chunk", async () => {
  const plans = new Set(await plansOf(pull));
  expect([...plans]).toEqual([
    "SEARCH record USING COVERING INDEX record_changed (account_id=? AND tbl=? AND (changed_at,id)>(?,?) AND changed_at<?)",
    "SEARCH record USING INDEX record_changed (account_id=? AND tbl=? AND (changed_at,id)>(?,?) AND (changed_at,id)<(?,?))",
  ]);
});

test("A page of a pull finds its end using an index alone", async () => {
  const plans = new Set(await plansOf((store) => openPull(store, 1, NOON - 1, 10, NOON)));
  expect([...plans]).toEqual([
    "SEARCH record USING COVERING INDEX record_changed (account_id=? AND tbl=? AND changed_at>?)",
  ]);
});

test("A folder is found by its id, or else among the names, which one index has", async () => {
  expect(await plansOf(byName)).toEqual([
    "SEARCH record USING INDEX sqlite_autoindex_record_1 (account_id=? AND tbl=? AND id=?)",
    "SEARCH record USING COVERING INDEX record_title (account_id=? AND (title,created_at,id)>(?,?,?))",
  ]);
});

test("No list, pull or look-up scans a whole table", async () => {
  const plans = await plansOf(async (store) => {
    await list({ url: "https://7/" })(store);
    await list({ statuses: ["todo", "done"] })(store);
    await list(
      { statuses: ["todo"], folderId: "p1", columns: { created_by: "person" }, since: 1 },
      true,
    )(store);
    await pull(store);
    await listFolders(store, 1, null);
    await readTaskView(store, 1, null, "t7");
    await tokenTimes(store, "k1", 600);
    await findStoredReply(store, KEYED, NOON);
    for (const kind of ["live", "sess"] as const)
      await authenticate(store, mintSecret(kind, cryptoRandom), NOON);
  });
  expect(plans.length).toBeGreaterThan(8);
  expect(plans.flatMap(scannedIn)).toEqual([]);
});

test("An index finds the tasks of a bucket when it becomes a trash bucket", async () => {
  const bucket = recordOf("b1", NOON, { kind: "trash" }, { table: "sync_buckets" });
  const task = recordOf("in b1", NOON, { bucket_id: "b1" });
  const plans = await plansOf(async (store) => {
    await pushChanges(store, 1, null, [task], NOON);
    return pushChanges(store, 1, null, [bucket], NOON + 1);
  });
  const range = "account_id=? AND bucket_id=? AND rowid>?";
  expect(plans).toContain(`SEARCH record USING COVERING INDEX record_bucket (${range})`);
  expect(plans).toContain(`SEARCH record USING INDEX record_bucket (${range} AND rowid<?)`);
});
