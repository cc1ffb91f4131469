import { beforeAll, expect, test } from "bun:test";
import { listDeletions, restoreDeletion } from "../../../src/db/history/mass-deletions.ts";
import { listDeleted } from "../../../src/db/history/deleted.ts";
import { openStore } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import { pruneHistory } from "../../../src/db/history/quota.ts";
import { grow } from "../../../src/db/history/grow.ts";
import { newestVersion, previewUndo, undoKeys } from "../../../src/db/history/undo.ts";
import { listHistory } from "../../../src/db/history/history.ts";
import { DAY, formatInstant } from "../../../src/domain/base/instant.ts";
import { NOON, testDirectory } from "../../support/server.ts";
import { readPlans, writePlans } from "../_plans.ts";
import { accountFor, ask, BOT, recordOf } from "../_store.ts";
import {
  createFolder,
  createTask,
  fileTabs,
  pushChanges,
  restoreDeleted,
  restoreVersion,
} from "../../support/rules.ts";

const directory = testDirectory();

/**
 * Two accounts, each with a push that deleted 120 tasks, a key's tasks and folder, and a task with many
 * versions.
 */
beforeAll(async () => {
  const store = await openStore({ directory, role: "server", now: NOON });
  for (const email of ["ann@example.org", "bob@example.org"]) {
    const id = await accountFor(store, email);
    const push = (at: number, more: object) => {
      const tasks = Array.from({ length: 120 }, (_, index) => recordOf(`t${index}`, at, {}, more));
      return pushChanges(store, id, null, tasks, at);
    };
    await push(NOON, {});
    await push(NOON + 1, { payload: { title: "a" } });
    await push(NOON + 2, { deleted_at: formatInstant(NOON) });
    await createFolder(store, id, { name: "Home", colour: null }, BOT, NOON);
    const draft = { title: "Read", tabs: [], notes: [] };
    const task = await createTask(store, id, draft, BOT, NOON);
    for (let at = 0; at < 50; at += 1)
      await fileTabs(store, id, task.id, [{ url: "https://a/", title: "a" }], BOT, NOON + at);
  }
  await store.close();
});

const key = { keyIds: ["key-1"], since: NOON, upTo: 10_000 };
const PAGE = { after: null, limit: 10 };

test.each<[string, (store: Store) => unknown, string]>([
  [
    "a record's history",
    (store) => listHistory(store, 1, "sync_tasks", "t1", PAGE),
    "version USING INDEX version_record (account_id=? AND tbl=? AND record_id=? AND id<?)",
  ],
  [
    "what a key did",
    (store) => previewUndo(store, 1, key),
    "version USING INDEX version_by (account_id=? AND by_id=? AND at>?)",
  ],
  [
    "the newest version",
    (store) => newestVersion(store, 1),
    "version USING COVERING INDEX version_size (account_id=?)",
  ],
  [
    "what is gone",
    (store) => listDeleted(store, 1, PAGE, NOON + 9),
    "record USING INDEX record_gone (account_id=? AND changed_at>? AND (changed_at,tbl,id)<(?,?,?))",
  ],
  [
    "what is in a trash bucket",
    (store) => listDeleted(store, 1, PAGE, NOON + 9),
    "record USING INDEX record_bucket_changed (account_id=? AND bucket_id=? AND changed_at<?)",
  ],
  [
    "the trash buckets",
    (store) => listDeleted(store, 1, PAGE, NOON + 9),
    "record USING COVERING INDEX record_trash (account_id=? AND id>?)",
  ],
  [
    "deletions",
    (store) => listDeletions(store, 1, NOON + 9),
    "mass_deletion USING INDEX mass_deletion_account (account_id=? AND at>?)",
  ],
])("An index serves the read of %s", async (_name, work, index) => {
  const plans = await readPlans(directory, work);
  expect(plans.some((plan) => plan.startsWith(`SEARCH ${index}`))).toBe(true);
  for (const plan of plans) expect(plan).not.toContain("SCAN");
});

test("The records of a mass deletion are found by their stamp, and restored by indexes", async () => {
  const plans = await writePlans(directory, (store) => restoreDeletion(store, 1, 1, NOON + 9));
  expect(plans).toContain("SEARCH version USING INDEX version_stamp (account_id=? AND stamp=?)");
  for (const plan of plans) expect(plan).not.toContain("SCAN");
});

test.each<[string, string, (at: number) => object]>([
  [
    "on versions that are not the latest",
    "r1",
    (at) => ({ expected_updated_at: formatInstant(at) }),
  ],
  ["that may not know what was filed", "r2", () => ({})],
])(
  "A record's history is read once for all changes to it in a push, %s",
  async (_name, id, more) => {
    const store = await openStore({ directory, role: "server", now: NOON + 50 });
    await pushChanges(store, 1, null, [recordOf(id, NOON + 50, { title: "a" })], NOON + 50);
    await fileTabs(store, 1, id, [{ url: "https://a/", title: "a" }], BOT, NOON + 51);
    await store.close();
    const timesRead = async (changes: number): Promise<number> => {
      const records = Array.from({ length: changes }, (_, at) =>
        recordOf(id, NOON + at, { title: `${at}` }, more(NOON - at)),
      );
      const push = (opened: Store) => pushChanges(opened, 1, null, records, NOON + 99);
      const plans = await writePlans(directory, push);
      return plans.filter((plan) => plan.includes("INDEX version_record")).length;
    };
    const once = await timesRead(1);
    expect(once).toBeGreaterThan(0);
    expect(await timesRead(40)).toBe(once);
  },
);

test("Restoring and undoing find everything they need by indexes", async () => {
  const plans = await writePlans(directory, async (store) => {
    const [step] = (await listHistory(store, 2, "sync_tasks", "t1", PAGE)).steps;
    await restoreVersion(store, 2, step?.version.id ?? 0, NOON + 9);
    await restoreDeleted(store, 2, "sync_tasks", "t7", NOON + 9);
    await undoKeys(store, 2, key, NOON + 10);
  });
  expect(plans.length).toBeGreaterThan(10);
  // The full-text index is asked for one task, by its number: SQLite calls that a scan too.
  const found = plans.filter((plan) => plan !== "SCAN search VIRTUAL TABLE INDEX 0:=");
  for (const plan of found) expect(plan).not.toContain("SCAN");
});

test("The days of use are found with an index, and old versions by their numbers", async () => {
  ask(directory, `UPDATE version SET at = ${NOON} + id * ${DAY}`);
  const plans = await writePlans(directory, async (store) => {
    await pruneHistory(store, NOON + 150 * DAY);
    await store.writer.write(({ orm }) => grow(orm, 1, 1_000, 100));
  });
  expect([...new Set(plans)]).toEqual([
    "SEARCH version USING COVERING INDEX version_at (at<?)",
    "SEARCH version USING INTEGER PRIMARY KEY (rowid<?)",
    "SEARCH record USING COVERING INDEX record_changed (account_id=? AND tbl=? AND (changed_at,id)>(?,?))",
    "SEARCH version USING COVERING INDEX version_size (account_id=?)",
    "SEARCH version USING COVERING INDEX version_size (account_id=? AND id<?)",
  ]);
});
