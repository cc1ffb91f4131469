import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrateDatabase } from "../../../../src/db/sqlite/files/migrate.ts";
import { readTaskView } from "../../../../src/db/records/lookup.ts";
import { listTasks } from "../../../../src/db/records/lists/task-list.ts";
import { readFilter } from "../../../../src/server/tasks/filter.ts";
import { NOON } from "../../../support/server.ts";
import { firstMigrations } from "../../../support/db/migrations.ts";
import {
  ask,
  databaseFile,
  directoryForTest,
  openForTest,
  type TestStore,
} from "../../../support/db/store.ts";

/** Data as an older version left them, by default the one before dates, tags and positions. */
const oldDirectory = (payloads: Readonly<Record<string, object>>, migrations = 4): string => {
  const directory = directoryForTest();
  const database = new Database(databaseFile(directory));
  database.run("PRAGMA journal_mode = WAL");
  migrateDatabase(database, databaseFile(directory), new Date(NOON), firstMigrations(migrations));
  database.run(
    "INSERT INTO account (id, uid, email, plan, plan_source, created_at, hw) VALUES (1, '1', 'a', 'pro', 'self_hosted', 0, 1)",
  );
  const record = database.query(
    `INSERT INTO record (account_id, tbl, id, payload, size, updated, updated_at, deleted_at, changed_at,
       created_at, created_by, title, status, trashed, live, open, row)
     VALUES (1, ?1, ?2, ?3, length(?3), 0, '1970-01-01T00:00:00.000Z', ?4, 1, 0, 'person', ?2, 'todo', 0, ?5, ?5, ?6)`,
  );
  for (const [id, payload] of Object.entries(payloads)) {
    const table = id.startsWith("p") ? "sync_projects" : "sync_tasks";
    const deletedAt = id === "gone" ? "2026-01-01T00:00:00.000Z" : null;
    const row = JSON.stringify({ id, title: id });
    record.run(table, id, JSON.stringify(payload), deletedAt, Number(deletedAt === null), row);
  }
  database.close();
  return directory;
};

const rowOf = async (store: TestStore, id: string) =>
  JSON.parse((await readTaskView(store, 1, null, id)).row) as Record<string, unknown>;

const idsOf = async (store: TestStore, query: object) => {
  const page = { after: null, first: null, limit: 50 };
  const { rows } = await listTasks(store, 1, null, readFilter(query), page, NOON);
  return rows.map((row) => (JSON.parse(row) as { id: string }).id);
};

test("After the upgrade every row has the new fields that its payload has", async () => {
  const directory = oldDirectory({
    full: { title: "full", due: "2026-03-04", tags: ["home", "home", 5], position: "a0" },
    bare: { title: "bare" },
    odd: { title: "odd", due: "soon", tags: "home", position: 3 },
    gone: { title: "gone", due: "2026-03-04", tags: ["home"] },
    p1: { name: "Travel", position: "a0" },
  });
  const before = ask(directory, "SELECT id, payload, updated, changed_at FROM record ORDER BY id");
  const store = await openForTest({ directory });
  const none = { due: null, tags: [], position: null };
  expect(await rowOf(store, "full")).toMatchObject({
    title: "full",
    due: "2026-03-04",
    tags: ["home"],
    position: "a0",
  });
  for (const id of ["bare", "odd"])
    expect(await rowOf(store, id)).toMatchObject({ title: id, status: "todo", ...none });
  expect(await idsOf(store, { tag: "home" })).toEqual(["full"]);
  expect(await idsOf(store, { due_before: "2026-03-05" })).toEqual(["full"]);
  expect(await idsOf(store, {})).toEqual(["odd", "full", "bare"]);
  const [folder] = ask<{ row: string }>(directory, "SELECT row FROM record WHERE id = 'p1'");
  expect(JSON.parse(folder?.row ?? "")).toMatchObject({ id: "p1", name: "Travel", colour: null });
  expect(ask(directory, "SELECT id, payload, updated, changed_at FROM record ORDER BY id")).toEqual(
    before,
  );
});

test("After the upgrade a task is found by its tags in any case, and in composed and decomposed letters", async () => {
  const directory = oldDirectory({ t: { title: "t", tags: ["Work", "CAFE\u0301"] } }, 14);
  ask(directory, "UPDATE record SET tags = json_extract(payload, '$.tags')");
  const before = ask(directory, "SELECT payload, updated, changed_at FROM record");
  const store = await openForTest({ directory });
  for (const tag of ["work", "WORK", "caf\u00E9"])
    expect(await idsOf(store, { tag })).toEqual(["t"]);
  expect(await rowOf(store, "t")).toMatchObject({ tags: ["Work", "CAFE\u0301"] });
  expect(ask(directory, "SELECT payload, updated, changed_at FROM record")).toEqual(before);
});
