import { beforeAll, expect, test } from "bun:test";
import { listFolders } from "../../../src/db/records/lists/folder-list.ts";
import { openStore } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import { readTaskView } from "../../../src/db/records/lookup.ts";
import { listTasks } from "../../../src/db/records/lists/task-list.ts";
import type { TaskFilter } from "../../../src/db/records/lists/task-filter.ts";
import { hasFolder, readNames } from "../../../src/db/records/named-folders.ts";
import type { Restriction } from "../../../src/domain/people/api-key.ts";
import { SAYS } from "../../support/replies.ts";
import { NOON, testDirectory } from "../../support/server.ts";
import { isOfNames, readPlans, scannedIn } from "../_plans.ts";
import { accountFor, recordOf } from "../_store.ts";
import { pushChanges } from "../../support/rules.ts";

const directory = testDirectory();

beforeAll(async () => {
  const store = await openStore({ directory, role: "server", now: NOON });
  const id = await accountFor(store);
  const tasks = Array.from({ length: 300 }, (_, at) => {
    const payload = { project_id: `p${at % 5}`, status: ["todo", "done"][at % 2] };
    return recordOf(`t${at}`, NOON, { ...payload, pages: [{ url: `https://${at}/` }] });
  });
  await pushChanges(store, id, null, tasks, NOON);
  await store.close();
});

const folders = (count: number): Restriction => ({
  kind: "folders",
  folders: Array.from({ length: count }, (_, at) => `p${at}`),
});

const ALL: TaskFilter = {
  statuses: null,
  closed: false,
  folderId: null,
  columns: {},
  url: null,
  since: null,
  words: null,
};

const list =
  (restriction: Restriction, filter: Partial<TaskFilter>, after = false) =>
  (store: Store) =>
    listTasks(
      store,
      1,
      restriction,
      { ...ALL, ...filter },
      { after: after ? { tier: 0, changedAt: NOON, id: "t7" } : null, first: NOON, limit: 50 },
      NOON,
    );

const SEARCH = "SEARCH record USING INDEX";
const EACH = "LIST SUBQUERY 1; SCAN json_each VIRTUAL TABLE INDEX 1:";
const SORTED = "USE TEMP B-TREE FOR ORDER BY";
const INBOX = "sqlite_autoindex_record_1 (account_id=? AND tbl=? AND id=?)";
/** The account's high-water mark, and the server's epoch. */
const OF_ONE_ROW = ["SEARCH account USING INTEGER PRIMARY KEY (rowid=?)", "SCAN server"];
const isOfOneRow = (plan: string): boolean => OF_ONE_ROW.includes(plan);
const WHICH = "SCALAR SUBQUERY 1; SEARCH account USING INTEGER PRIMARY KEY (rowid=?)";

test.each<[string, (store: Store) => unknown, string]>([
  ...[1, 2, 50].flatMap((count) => [
    [
      `the list of ${count} folders`,
      list(folders(count), {}),
      `${SEARCH} record_folder (account_id=? AND folder_id=? AND open=?); ${EACH}; ${SORTED}`,
    ] as [string, (store: Store) => unknown, string],
    [
      "its next pages",
      list(folders(count), {}, true),
      `${SEARCH} record_folder (account_id=? AND folder_id=? AND open=? AND (changed_at,id)<(?,?)); ${EACH}; ${SORTED}`,
    ] as [string, (store: Store) => unknown, string],
  ]),
  [
    "one folder of it since a time",
    list(folders(3), { folderId: "p1", since: 1 }),
    `${SEARCH} record_folder (account_id=? AND folder_id=? AND open=? AND changed_at>?); ${EACH}`,
  ],
  ["the inbox", list({ kind: "inbox" }, {}), `${SEARCH} ${INBOX}; ${WHICH}`],
  ["its next pages", list({ kind: "inbox" }, {}, true), `${SEARCH} ${INBOX}; ${WHICH}`],
  ["its look-up", (store) => findIn({ kind: "inbox" }, store), `${SEARCH} ${INBOX}; ${WHICH}`],
  ["a task's look-up", (store) => findIn(folders(2), store), `${SEARCH} ${INBOX}; ${EACH}`],
])("An index serves %s", async (_name, work, plan) => {
  const plans = await readPlans(directory, work);
  const told = plans.map((one) => one.replace("; CREATE BLOOM FILTER", ""));
  expect(told.filter((one) => !isOfOneRow(one) && !isOfNames(one))).toEqual([plan]);
});

// What lies outside the folders must not be walked: the time it takes would tell how much of it there is.
test.each<[string, Partial<TaskFilter>]>([
  ["of one status", { statuses: ["done"] }],
  ["of two statuses", { statuses: ["todo", "done"] }],
  ["with closed tasks", { closed: true }],
  ["with a tag", { columns: { tag: "home" } }],
  ["due in some days", { columns: { due_after: "2026-03-04" }, statuses: ["todo"] }],
  ["made by agents", { columns: { created_by: "agent" }, closed: true }],
  ["of one folder and status", { statuses: ["done"], folderId: "p1" }],
])("A list %s walks only the folders that a key is kept to", async (_name, filter) => {
  for (const after of [false, true]) {
    const plans = await readPlans(directory, list(folders(2), filter, after));
    const walks = plans.filter((one) => !isOfOneRow(one) && !isOfNames(one));
    expect(walks).not.toEqual([]);
    for (const plan of walks) {
      expect(plan).toMatch(
        /^(CO-ROUTINE record; )?SEARCH record USING (COVERING )?INDEX record_folder /,
      );
      expect(plan).toContain("(account_id=? AND folder_id=? AND open=?");
      expect(scannedIn(plan)).toEqual([]);
    }
  }
});

test.each([["p4"], ["nowhere"], ["none"]])(
  "A list of the folder %s, which a key cannot see, reads no task",
  async (folderId) => {
    const plans = await readPlans(directory, list(folders(2), { folderId }));
    expect(plans.filter((one) => !isOfOneRow(one) && !isOfNames(one))).toEqual([]);
  },
);

const findIn = (restriction: Restriction, store: Store) =>
  expect(() => readTaskView(store, 1, restriction, "t7")).toThrow(SAYS.noTask);

test("No other read of a restricted key scans a whole table", async () => {
  const plans = await readPlans(directory, async (store) => {
    for (const restriction of [folders(2), { kind: "inbox" }] as const) {
      await list(restriction, { url: "https://7/" })(store);
      await list(restriction, { statuses: ["todo", "done"] })(store);
      await list(
        restriction,
        { statuses: ["done"], columns: { created_by: "person" } },
        true,
      )(store);
    }
    const restriction = folders(2);
    await listFolders(store, 1, restriction);
    expect(await hasFolder(store.reader, 1, "Home", restriction)).toBe(false);
    expect(await readNames(store.reader, 1, restriction)).toEqual([]);
  });
  expect(plans.length).toBeGreaterThan(10);
  expect(plans.filter((one) => !isOfOneRow(one)).flatMap(scannedIn)).toEqual([]);
});
