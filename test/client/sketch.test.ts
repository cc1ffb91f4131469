import { expect, onTestFinished, test } from "bun:test";
import { openDB } from "idb";
import { openClient } from "../../src/client/client.ts";
import { createTask, remove, setTask } from "../../src/client/edits.ts";
import { listTasks, type ListName } from "../../src/client/lists.ts";
import { EMPTY_SCREEN, type Screen, showRows } from "../../src/client/shown.ts";
import { screenOf, sketchTexts } from "../../src/client/sketch.ts";
import { databaseName } from "../../src/client/store/database.ts";
import { newRow, withEdit } from "../../src/client/store/row.ts";
import type { Table } from "../../src/domain/base/record.ts";
import { newBrowser } from "../support/client/browser.ts";
import { newAddress } from "../support/client/person.ts";

const AGENT = { created_by: "agent", created_by_key: "bot" };

const row = (table: Table, id: string, payload: object, deletedAt: string | null = null) => ({
  ...newRow(table, id),
  server: { payload: { ...payload }, updatedAt: "2026-03-04T12:00:00.000Z", deletedAt },
});

const waiting = row("sync_tasks", "waits", { title: "Waits" });
const screen = showRows(EMPTY_SCREEN, [
  row("sync_projects", "house", { name: "House", colour: "red", position: "a1" }),
  row("sync_buckets", "bin", { name: "Bin", kind: "trash" }),
  row("sync_tasks", "roof", {
    title: "Roof",
    project_id: "house",
    tags: ["fun"],
    due: "2026-03-01",
    position: "a1",
    secret: "kept elsewhere",
    pages: ["https://a.example/", { url: "https://b.example/", id: "b" }],
    notes: [{ text: "Ask" }],
  }),
  row("sync_tasks", "sent", {
    title: "Sent",
    pages: [
      { url: "https://c.example/", id: "c" },
      { url: "https://d.example/", id: "d", ...AGENT },
    ],
  }),
  {
    ...row("sync_tasks", "made", { title: "Made" }),
    createdBy: "agent",
    createdByKey: "scout",
  },
  row("sync_tasks", "junk", { title: "Junk", bucket_id: "bin" }),
  row("sync_tasks", "done", { title: "Done", status: "done" }),
  row("sync_tasks", "dead", { title: "Dead" }, "2026-03-04T13:00:00.000Z"),
  {
    ...withEdit(waiting, {
      payload: { title: "Waits, changed" },
      updatedAt: "2026-03-05T12:00:00.000Z",
      deletedAt: null,
      order: 1,
      seen: null,
      base: null,
      isSent: false,
      first: null,
      isResent: false,
    }),
  },
]);
const LISTS: readonly ListName[] = [
  { kind: "open" },
  { kind: "today", today: "2026-03-04" },
  { kind: "folder", id: "house" },
  { kind: "tag", tag: "fun" },
  { kind: "done" },
  { kind: "trash" },
  { kind: "from-agents" },
];

/** All that a row of a list shows. */
const rowsOf = (of: Screen): unknown =>
  LISTS.map((list) =>
    listTasks(of, list).map(({ payload: _own, tabs, notes, ...shown }) => ({
      ...shown,
      tabs: tabs.map(({ madeBy }) => madeBy),
      notes: notes.map(({ madeBy }) => madeBy),
    })),
  );

test("a sketch shows the same lists as the records", () => {
  const sketch = screenOf([...sketchTexts(screen)]);
  expect(rowsOf(sketch)).toEqual(rowsOf(screen));
  expect([sketch.folders, sketch.buckets]).toEqual([screen.folders, screen.buckets]);
  expect([sketch.waiting, sketch.refused]).toEqual([screen.waiting, screen.refused]);
});

test("a sketch holds nothing of a task that lists do not show, but what agents filed is whole", () => {
  const text = [...sketchTexts(screen)].join("\n");
  for (const absent of ["kept elsewhere", "a.example", "b.example", "c.example", "Ask"])
    expect(text).not.toContain(absent);
  expect(screenOf([...sketchTexts(screen)]).tasks.get("sent")?.tabs[1]).toEqual(
    screen.tasks.get("sent")?.tabs[1],
  );
});

const request = (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));

const person = () => {
  const [browser, server] = [newBrowser(), newAddress()];
  const account = { id: "1", email: "ann@example.org" };
  const options = { account, server, request, now: Date.now, newId: () => crypto.randomUUID() };
  return () => openClient(options, browser);
};

/** Makes 400 tasks, and waits until the browser has a sketch of them. Returns the window that made them. */
const withSketch = async () => {
  const open = person();
  const first = await open();
  onTestFinished(first.close);
  const tabs = [{ url: "https://example.org/" }];
  const ids = Array.from({ length: 400 }, (_, at) => `task-${at}`);
  await first.edit(
    "Created",
    ids.map((id) => createTask({ id, title: id, tabs })),
  );
  for (let isSketched = false; !isSketched; await Bun.sleep(50)) {
    const window = await open();
    isSketched = !window.state().isWhole;
    await window.whole;
    window.close();
  }
  return { open, first };
};

test("many tasks are shown from a sketch first, and are whole a moment later", async () => {
  const { open, first } = await withSketch();
  first.close();
  const second = await open();
  expect([second.state().isWhole, second.state().tasks.size]).toEqual([false, 400]);
  expect(second.state().tasks.get("task-7")?.title).toBe("task-7");
  await second.whole;
  expect(second.state().isWhole).toBe(true);
  expect(second.state().tasks.get("task-7")?.tabs[0]?.url).toBe("https://example.org/");
  second.close();
});

test("an edit made on a sketch keeps the whole task, and is shown at once and afterwards", async () => {
  const { open, first } = await withSketch();
  first.close();
  const second = await open();
  await second.edit("Changed", [
    setTask("task-7", { title: "Other" }),
    remove("sync_tasks", "task-8"),
  ]);
  const titles = () => ["task-7", "task-8"].map((id) => second.state().tasks.get(id)?.title);
  expect(titles()).toEqual(["Other", undefined]);
  await second.whole;
  expect(titles()).toEqual(["Other", undefined]);
  expect(second.state().tasks.get("task-7")?.tabs[0]?.url).toBe("https://example.org/");
  expect(second.state().waiting).toBe(400);
  second.close();
});

test("a sketch that is older than the records is never shown", async () => {
  const { open, first } = await withSketch();
  await first.edit("Changed", [setTask("task-7", { title: "Newer" })]);
  first.close();
  const second = await open();
  expect(second.state().isWhole).toBe(true);
  expect(second.state().tasks.get("task-7")?.title).toBe("Newer");
  second.close();
});

test("what another window changes while this one shows a sketch is shown afterwards too", async () => {
  const { open, first } = await withSketch();
  const second = await open();
  const edited = first.edit("Changed", [setTask("task-7", { title: "Elsewhere" })]);
  await Promise.all([edited, second.whole]);
  await Bun.sleep(50);
  expect(second.state().tasks.get("task-7")?.title).toBe("Elsewhere");
  first.close();
  second.close();
});

test("a window that is closed or signed out while it reads shows nothing more, and nothing fails", async () => {
  const { open, first } = await withSketch();
  first.close();
  const second = await open();
  second.close();
  await second.whole;
  const third = await open();
  await third.signOut({ evenIfWaiting: true });
  await third.whole;
  expect(third.state().tasks.size).toBe(0);
  expect((await open()).state().tasks.size).toBe(0);
});

test("a store of the version before is taken over with what it holds", async () => {
  const [browser, server] = [newBrowser(), newAddress()];
  const old = await openDB(databaseName(server, "1"), 1, {
    upgrade: (db) => {
      const rows = db.createObjectStore("rows", { keyPath: ["table", "id"] });
      rows.createIndex("waits", "waits");
      db.createObjectStore("meta");
    },
  });
  await old.put("rows", row("sync_tasks", "old", { title: "Old" }));
  await old.put("meta", { pulse: 3, since: "2026-03-04T12:00:00.000Z", epoch: "one" }, "meta");
  old.close();
  const account = { id: "1", email: "ann@example.org" };
  const options = { account, server, request, now: Date.now, newId: () => crypto.randomUUID() };
  const client = await openClient(options, browser);
  onTestFinished(client.close);
  expect(client.state().isWhole).toBe(true);
  await client.edit("Changed", [setTask("old", { status: "done" })]);
  expect(client.state().tasks.get("old")).toMatchObject({ title: "Old", status: "done" });
});
