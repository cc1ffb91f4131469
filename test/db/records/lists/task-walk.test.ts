import { expect, test } from "bun:test";
import { listTasks } from "../../../../src/db/records/lists/task-list.ts";
import type { TaskPosition } from "../../../../src/db/records/lists/task-filter.ts";
import { readFilter } from "../../../../src/server/tasks/filter.ts";
import { HOUR } from "../../../../src/domain/base/instant.ts";
import { pushChanges } from "../../../support/rules.ts";
import { NOON } from "../../../support/server.ts";
import { accountFor, openForTest, recordOf, type TestStore } from "../../../support/db/store.ts";
import { turnsDuring, WITHOUT_SLICES } from "../../../support/db/turns.ts";

type Query = Parameters<typeof readFilter>[0];
type Task = { readonly id: string; readonly payload: Readonly<Record<string, unknown>> };

const STATUSES = ["todo", "blocked", "done"];

/** Tasks of which each 17th is tagged, each third is closed, each fifth is in a folder, and each seventh is due. */
const taskAt = (at: number): Task => ({
  id: `t${String(at).padStart(5, "0")}`,
  payload: {
    title: `Task ${at}`,
    status: STATUSES[at % 3],
    tags: at % 17 === 0 ? ["rare", "other"] : ["other"],
    project_id: at % 5 === 0 ? "p1" : null,
    due: at % 7 === 0 ? "2026-03-04" : null,
  },
});

/** Ann's tasks, the newest change last. */
const annsTasks = async (count: number) => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const tasks = Array.from({ length: count }, (_, at) => taskAt(at));
  for (let from = 0; from < count; from += 500) {
    const records = tasks
      .slice(from, from + 500)
      .map(({ id, payload }) => recordOf(id, NOON, payload));
    await pushChanges(store, ann, null, records, NOON + from);
  }
  return { store, ann, tasks };
};

const page = (
  store: TestStore,
  ann: number,
  query: Query,
  after: TaskPosition | null,
  limit: number,
) => listTasks(store, ann, null, readFilter(query), { after, first: NOON, limit }, NOON + HOUR);

/** The ids on all pages of a list. */
const listed = async (store: TestStore, ann: number, query: Query, limit: number) => {
  const ids: string[] = [];
  for (let after: TaskPosition | null = null; ;) {
    const { rows, next } = await page(store, ann, query, after, limit);
    expect(rows.length).toBeLessThanOrEqual(limit);
    ids.push(...rows.map((row) => (JSON.parse(row) as { id: string }).id));
    if (next === null) return ids;
    after = next;
  }
};

type Fields = {
  readonly status: string;
  readonly tags: readonly string[];
  readonly due: string | null;
};
const fieldsOf = ({ payload }: Task) =>
  payload as unknown as Fields & { project_id: string | null };
const isOpen = (task: Task): boolean => fieldsOf(task).status !== "done";

const LISTS: readonly (readonly [string, Query, (task: Task) => boolean])[] = [
  ["open tasks", {}, isOpen],
  ["all tasks", { closed: true }, () => true],
  [
    "tasks with a rare tag",
    { tag: "rare" },
    (task) => isOpen(task) && fieldsOf(task).tags.includes("rare"),
  ],
  ["tasks with no such tag", { tag: "none" }, () => false],
  ["people's tasks", { created_by: "person" }, isOpen],
  ["agents' tasks", { created_by: "agent" }, () => false],
  ["tasks of two statuses", { status: "todo,done" }, (task) => fieldsOf(task).status !== "blocked"],
  [
    "tasks of a status in a folder",
    { status: "done", project_id: "p1" },
    (task) => !isOpen(task) && fieldsOf(task).project_id === "p1",
  ],
  [
    "tagged tasks in no folder",
    { tag: "rare", project_id: "none" },
    (task) =>
      isOpen(task) && fieldsOf(task).tags.includes("rare") && fieldsOf(task).project_id === null,
  ],
  [
    "many tasks that are due",
    { due_before: "2026-04-01" },
    (task) => isOpen(task) && fieldsOf(task).due !== null,
  ],
  ["few tasks that are due", { due_after: "2026-04-01" }, () => false],
];

test("Each list has just its tasks, newest first, whatever the size of its pages", async () => {
  const { store, ann, tasks } = await annsTasks(3_000);
  // Those of one push share a stamp, and are listed from the last id to the first.
  const newestFirst = tasks.toReversed();
  for (const [name, query, has] of LISTS)
    for (const limit of [7, 50, 200]) {
      const expected = newestFirst.filter(has).map(({ id }) => id);
      expect([name, limit, await listed(store, ann, query, limit)]).toEqual([
        name,
        limit,
        expected,
      ]);
    }
});

test("While tasks are looked for in a long list, others go on", async () => {
  const { store, ann } = await annsTasks(60_000);
  const turns = await turnsDuring(async () => {
    const { rows } = await page(store, ann, { tag: "none" }, null, 50);
    expect(rows).toEqual([]);
  });
  expect(turns).toBeGreaterThan(WITHOUT_SLICES + 1);
});
