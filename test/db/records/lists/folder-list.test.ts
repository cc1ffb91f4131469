import { expect, test } from "bun:test";
import { listFolders } from "../../../../src/db/records/lists/folder-list.ts";
import { pushChanges } from "../../../support/rules.ts";
import { NOON } from "../../../support/server.ts";
import { accountFor, openForTest, recordOf } from "../../../support/db/store.ts";

const folder = (id: string, name: string, more: object = {}) =>
  recordOf(id, NOON, { name }, { table: "sync_projects", ...more });

const namesOf = (texts: readonly string[]) =>
  texts.map((text) => {
    const { name, task_count } = JSON.parse(text) as { name: string; task_count: number };
    return [name, task_count] as const;
  });

test("Any number of folders are listed, oldest first, without the deleted ones", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  // The names go down, so that their order is another one. Each seventh is deleted.
  const made = Array.from(
    { length: 900 },
    (_, at) => `Folder ${String(900 - at).padStart(3, "0")}`,
  );
  for (const [at, name] of made.entries()) {
    const deleted = at % 7 === 0 ? { deleted_at: "2026-03-04T12:00:00.000Z" } : {};
    await pushChanges(store, ann, null, [folder(`f${at}`, name, deleted)], NOON + at);
  }
  const live = made.filter((_, at) => at % 7 !== 0).map((name) => [name, 0] as const);
  expect(namesOf(await listFolders(store, ann, null))).toEqual(live);
});

test("Any number of open tasks are counted", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushChanges(store, ann, null, [folder("f", "Full"), folder("e", "Empty")], NOON);
  // More than two steps of the count, in commits of their own and the same one.
  for (let part = 0; part < 42; part++) {
    const tasks = Array.from({ length: 500 }, (_, at) =>
      recordOf(`t${part} ${at}`, NOON, { project_id: "f", status: at === 0 ? "done" : "todo" }),
    );
    await pushChanges(store, ann, null, tasks, NOON + Math.floor(part / 2));
  }
  expect(namesOf(await listFolders(store, ann, null))).toEqual([
    ["Empty", 0],
    ["Full", 42 * 499],
  ]);
});
