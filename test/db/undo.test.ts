import { expect, test } from "bun:test";
import { addNote, createTask, fileTabs, patchTask } from "../../src/db/edits.ts";
import { createFolder } from "../../src/db/folders.ts";
import { fileInbox } from "../../src/db/inbox.ts";
import { restoreVersion } from "../../src/db/restoring.ts";
import { newestVersion, previewUndo, undoKey, type UndoneRecord } from "../../src/db/undo.ts";
import type { TaskPatch } from "../../src/draft.ts";
import type { Instant } from "../../src/instant.ts";
import { annsRecords, CAT } from "./_past.ts";
import { accountFor, BOT, openForTest } from "./_store.ts";

const A = { url: "https://a.example/", title: "A" };
const B = { url: "https://b.example/", title: "B" };
const OWN = { id: "own", url: "https://own.example/", title: "Own" };
const DRAFT = { title: "Buy milk", tabs: [A], notes: ["oat"] };

/** Ann's records, and her two keys at work on them. */
const world = async () => {
  const records = await annsRecords(openForTest());
  const { store, ann, now } = records;
  const newest = () => newestVersion(store, ann);
  const request = async (more: object = {}) => {
    const upTo = await newest();
    return { keyId: "key-1", since: 0, upTo, ...more };
  };
  const preview = async (more?: object) => previewUndo(store, ann, await request(more));
  /** Looks first, as a person does, and holds what is done against that. */
  const undo = async (more?: object): Promise<readonly UndoneRecord[]> => {
    const asked = await request(more);
    const expected = await previewUndo(store, ann, asked);
    const done = await undoKey(store, ann, asked, now());
    expect(done).toEqual(expected);
    return done;
  };
  const patch = (id: string, fields: TaskPatch, by = BOT) =>
    patchTask(store, ann, id, { patch: fields, ifMatch: null }, by, now());
  const file = (id: string, tab = A, by = BOT) => fileTabs(store, ann, id, [tab], by, now());
  const folder = async (name: string, by = BOT) =>
    (await createFolder(store, ann, { name, colour: null }, by, now())).id;
  return { ...records, newest, request, preview, undo, patch, file, folder };
};

/** Each undoing in a word. */
const told = (records: readonly UndoneRecord[]): readonly string[] =>
  records.flatMap(({ title, undoings }) =>
    undoings.map(({ what, state, changedBy }) =>
      [title, what, state, ...(changedBy ? [changedBy.id] : [])].join(" "),
    ),
  );

test("all that a key did is undone: fields, tabs, notes, tasks, folders and what it filed into the inbox", async () => {
  const { store, ann, now, device, undo, patch, file, folder, payload, row, rows } = await world();
  const first = { title: "Read", status: "todo", order: 7, pages: [OWN], notes: [] };
  await device("phone").push("t1", first);
  const home = await folder("Home");
  await patch("t1", { title: "Read it", status: "done", colour: "red", project_id: home });
  await file("t1");
  await addNote(store, ann, "t1", "soon", BOT, now());
  const made = await createTask(store, ann, { ...DRAFT, project_id: home }, BOT, now());
  await file(made.id, B);
  await fileInbox(store, ann, [A], BOT, now());
  const inbox = await fileInbox(store, ann, [B], BOT, now());
  const changed = row("t1").changedAt;
  await undo();
  expect(payload("t1")).toEqual({ ...first, colour: null, project_id: null });
  for (const id of [made.id, inbox.id]) expect(row(id).deletedAt).not.toBeNull();
  expect(row(home, "sync_projects").deletedAt).not.toBeNull();
  expect(rows().every((one) => one.changedAt > changed)).toBe(true);
  expect((await fileInbox(store, ann, [A], BOT, now())).id).not.toBe(inbox.id);
});

test("a key's acts are undone from the time asked for on, and up to the version looked at", async () => {
  const { device, now, newest, undo, patch, payload } = await world();
  await device("phone").push("t1", { title: "a" });
  await patch("t1", { title: "b" });
  const since = now();
  await patch("t1", { title: "c" });
  const upTo = await newest();
  await patch("t1", { status: "done" });
  expect(told(await undo({ since, upTo }))).toEqual(["c title undone"]);
  expect(payload("t1")).toEqual({ title: "b", status: "done" });
  expect(told(await undo({ since: now() }))).toEqual([]);
  expect(told(await undo())).toEqual(["b status undone", "b title gone", "b title undone"]);
  expect(payload("t1")).toEqual({ title: "a", status: null });
});

test("of two keys that took turns, the one's work goes and the other's stays, and a person's too", async () => {
  const { device, undo, patch, file, payload, tabs } = await world();
  const phone = device("phone");
  await phone.push("t1", { title: "a", status: "todo", pages: [] });
  await patch("t1", { title: "b" });
  await file("t1", A, CAT);
  await patch("t1", { status: "done" }, CAT);
  await file("t1", B);
  await patch("t1", { title: "c" }, CAT);
  await patch("t1", { status: "later" });
  await phone.pull();
  await phone.push("t1", { ...payload("t1"), mood: 1 });
  expect(told(await undo())).toEqual(["c status undone", "c tab undone", "c title changed key-2"]);
  expect(payload("t1")).toMatchObject({ title: "c", status: "done", mood: 1 });
  expect(tabs("t1")).toEqual(["A: cat"]);
  expect(told(await undo({ keyId: "key-2" }))).toEqual([
    "c title undone",
    "c status undone",
    "c tab undone",
  ]);
  expect(payload("t1")).toMatchObject({ title: "b", status: "todo", pages: [] });
  expect(told(await undo())).toEqual(["b status gone", "b tab gone", "b title undone"]);
  expect(payload("t1")).toMatchObject({ title: "a", status: "todo", pages: [] });
});

test("undoing twice changes nothing, and says nothing the second time", async () => {
  const { store, ann, now, undo, patch, file, rows } = await world();
  const { id } = await createTask(store, ann, DRAFT, CAT, now());
  await patch(id, { title: "b" });
  await patch(id, { title: "c" });
  await file(id, B);
  await createTask(store, ann, DRAFT, BOT, now());
  await undo();
  const before = rows();
  expect(told(await undo())).toEqual([]);
  expect(rows()).toEqual(before);
});

test("what a person deleted since, or never saw, is not spoken of; what they trashed is undone there", async () => {
  const { store, ann, now, device, undo, patch, payload, row } = await world();
  const phone = device("phone");
  for (const id of ["gone", "trashed"]) {
    await phone.push(id, { title: "a" });
    await patch(id, { title: "b" });
  }
  await phone.pull();
  await phone.push("gone", {}, { deleted_at: "2026-03-04T12:00:00Z" });
  await phone.push("trashed", { title: "b", bucket_id: "trash" });
  const deleted = row("gone");
  expect(told(await undo())).toEqual(["b title undone"]);
  expect(payload("trashed")).toEqual({ title: "a", bucket_id: "trash" });
  expect(row("gone")).toEqual(deleted);
  expect(told(await previewUndo(store, ann, { keyId: "no-key", since: 0, upTo: now() }))).toEqual(
    [],
  );
});

test("a folder that a key made stays as long as any task lies in it, and goes once it is empty", async () => {
  const { device, undo, patch, folder, payload, row } = await world();
  const phone = device("phone");
  const [home, work] = [await folder("Home"), await folder("Work")];
  await phone.push("t1", { project_id: home });
  await phone.push("t2", { title: "b" });
  await patch("t2", { project_id: work });
  expect(told(await undo())).toEqual(
    ["b project_id undone", "Home made changed ", "Work made undone"].map((text) => text.trim()),
  );
  expect([home, work].map((id) => row(id, "sync_projects").deletedAt === null)).toEqual([
    true,
    false,
  ]);
  expect(payload("t2")["project_id"]).toBeNull();
  await phone.push("t1", { project_id: null });
  expect(told(await undo())).toEqual(["Home made undone"]);
});

test("a folder stays into which a task comes back by being undone, and the preview says so", async () => {
  const { device, undo, patch, folder, payload, row } = await world();
  const [home, work] = [await folder("Home"), await folder("Work")];
  await device("phone").push("t1", { title: "a", project_id: home });
  await patch("t1", { project_id: work });
  expect(told(await undo())).toEqual([
    "a project_id undone",
    "Home made changed",
    "Work made undone",
  ]);
  expect(payload("t1")["project_id"]).toBe(home);
  expect(row(home, "sync_projects").deletedAt).toBeNull();
});

test.each([
  ["rewrote the ids", ({ url, title }: typeof A, at: number) => ({ id: `own-${at}`, url, title })],
  ["dropped all fields but its own", ({ url, title }: typeof A) => ({ url, title })],
  ["keeps urls alone", ({ url }: typeof A) => url],
])("a key's tabs are undone also where the extension %s", async (_name, form) => {
  const { device, undo, file, payload, tabs } = await world();
  const phone = device("phone");
  await phone.push("t1", { title: "Read", pages: [A, OWN] });
  await file("t1", A);
  await file("t1", B, CAT);
  await file("t1", B);
  await phone.pull();
  const pages = (payload("t1")["pages"] as (typeof A)[]).map(form);
  await phone.push("t1", { title: "Read", pages });
  expect(tabs("t1").map((text) => text.split(": ")[1])).toEqual([
    "person",
    "person",
    "bot",
    "cat",
    "bot",
  ]);
  await undo();
  expect(tabs("t1").map((text) => text.split(": ")[1])).toEqual(["person", "person", "cat"]);
  expect(told(await undo())).toEqual([]);
});

test("an undoing is in the history, and what was undone can be restored, whosever it was", async () => {
  const { store, ann, now, undo, patch, file, past, payload, row, tabs } = await world();
  const { id } = await createTask(store, ann, DRAFT, BOT, now());
  await file(id, B);
  await patch(id, { title: "c" });
  const stood = payload(id);
  await undo();
  const [step] = await past(id);
  expect([step?.version.loss, step?.version.byKind, step?.after?.deletedAt]).toEqual([
    "undone",
    "person",
    row(id).deletedAt,
  ]);
  await restoreVersion(store, ann, step?.version.id ?? 0, now());
  expect([payload(id), row(id).deletedAt, tabs(id)]).toEqual([stood, null, ["A: bot", "B: bot"]]);
  expect(row(id)).toMatchObject({ createdBy: "agent", createdByKey: "bot" });
});

test("a task that was made by a key and undone does not come back by a device that pushes it", async () => {
  const { store, ann, now, device, undo, row, payload } = await world();
  const laptop = device("laptop");
  const { id } = await createTask(store, ann, DRAFT, BOT, now());
  await laptop.pull();
  const held = payload(id);
  await undo();
  expect(await laptop.push(id, { ...held, mood: 1 })).toMatchObject({
    applied: 1,
    merged: [{ id }],
  });
  expect(row(id).deletedAt).not.toBeNull();
  await laptop.pull();
  await laptop.push(id, { ...held, mood: 1 });
  expect(row(id).deletedAt).toBeNull();
});

test("nothing of another account is undone, though its key be named", async () => {
  const { store, now, request } = await world();
  const bob = await accountFor(store, "bob@example.org");
  const { id } = await createTask(store, bob, DRAFT, BOT, now());
  const { ann } = await annsRecords(store);
  const asked = { ...(await request()), upTo: 1_000 };
  const at: Instant = now();
  expect([await previewUndo(store, ann, asked), await undoKey(store, ann, asked, at)]).toEqual([
    [],
    [],
  ]);
  expect(told(await previewUndo(store, bob, asked))).toEqual(["Buy milk made undone"]);
  expect(id).not.toBe("");
});
