import { expect, test } from "bun:test";
import { previewUndo, undoKeys } from "../../../src/db/history/undo.ts";
import type { Instant } from "../../../src/domain/base/instant.ts";
import { annsRecords, CAT } from "../../support/db/past.ts";
import { accountFor, BOT } from "../../support/db/store.ts";
import { A, B, DRAFT, summaryOf, undoWorld } from "../../support/db/undo.ts";
import { addNote, createTask, fileInbox, patchTask, restoreVersion } from "../../support/rules.ts";

const OWN = { id: "own", url: "https://own.example/", title: "Own" };

test("Everything a key did is undone: fields, tabs, notes, tasks, folders and what it filed into the inbox", async () => {
  const { store, ann, now, device, undo, patch, file, folder, payload, row, rows } =
    await undoWorld();
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
  const changed = (await row("t1")).changedAt;
  await undo();
  expect(await payload("t1")).toEqual({ ...first, colour: null, project_id: null });
  for (const id of [made.id, inbox.id]) expect((await row(id)).deletedAt).not.toBeNull();
  expect((await row(home, "sync_projects")).deletedAt).not.toBeNull();
  expect((await rows()).every((one) => one.changedAt > changed)).toBe(true);
  expect((await fileInbox(store, ann, [A], BOT, now())).id).not.toBe(inbox.id);
});

test("A key's changes are undone from the requested time on, up to the version that ann looked at", async () => {
  const { device, now, newest, undo, patch, payload } = await undoWorld();
  await device("phone").push("t1", { title: "a" });
  await patch("t1", { title: "b" });
  const since = now();
  await patch("t1", { title: "c" });
  const upTo = await newest();
  await patch("t1", { status: "done" });
  expect(summaryOf(await undo({ since, upTo }))).toEqual(["c title undone"]);
  expect(await payload("t1")).toEqual({ title: "b", status: "done" });
  expect(summaryOf(await undo({ since: now() }))).toEqual([]);
  expect(summaryOf(await undo())).toEqual(["b status undone", "b title gone", "b title undone"]);
  expect(await payload("t1")).toEqual({ title: "a", status: null });
});

test("A date, tags and a position go back to what they were, unless someone changed them since", async () => {
  const { device, undo, patch, payload } = await undoWorld();
  const first = { title: "a", due: "2026-03-04", tags: ["home"], position: "a0" };
  await device("phone").push("t1", first);
  await patch("t1", { due: "2026-04-01", tags: ["work", "home"], position: null });
  await patch("t1", { due: "2026-05-01" }, CAT);
  expect(summaryOf(await undo())).toEqual([
    "a due changed key-2",
    "a tags undone",
    "a position undone",
  ]);
  expect(await payload("t1")).toEqual({ ...first, due: "2026-05-01" });
});

test("Changes that a key made while the clock was set back are not undone with those after that time", async () => {
  const { store, ann, device, now, undo, patch, payload } = await undoWorld();
  await device("phone").push("t1", { title: "a", status: "todo" });
  const since = now();
  await patch("t1", { title: "b" });
  const early = { patch: { status: "done" }, ifMatch: null };
  await patchTask(store, ann, "t1", early, BOT, since - 1);
  expect(summaryOf(await undo({ since }))).toEqual(["b title undone"]);
  expect(await payload("t1")).toEqual({ title: "a", status: "done" });
});

test("Of two keys that took turns, one key's work is undone, and the other's and a person's stay", async () => {
  const { device, undo, patch, file, payload, tabs } = await undoWorld();
  const phone = device("phone");
  await phone.push("t1", { title: "a", status: "todo", pages: [] });
  await patch("t1", { title: "b" });
  await file("t1", A, CAT);
  await patch("t1", { status: "done" }, CAT);
  await file("t1", B);
  await patch("t1", { title: "c" }, CAT);
  await patch("t1", { status: "later" });
  await phone.pull();
  await phone.push("t1", { ...(await payload("t1")), mood: 1 });
  expect(summaryOf(await undo())).toEqual([
    "c status undone",
    "c tab undone",
    "c title changed key-2",
  ]);
  expect(await payload("t1")).toMatchObject({ title: "c", status: "done", mood: 1 });
  expect(await tabs("t1")).toEqual(["A: cat"]);
  expect(summaryOf(await undo({ keyIds: ["key-2"] }))).toEqual([
    "c title undone",
    "c status undone",
    "c tab undone",
  ]);
  expect(await payload("t1")).toMatchObject({ title: "b", status: "todo", pages: [] });
  expect(summaryOf(await undo())).toEqual(["b status gone", "b tab gone", "b title undone"]);
  expect(await payload("t1")).toMatchObject({ title: "a", status: "todo", pages: [] });
});

test("Undoing twice changes nothing, and reports nothing the second time", async () => {
  const { store, ann, now, undo, patch, file, rows } = await undoWorld();
  const { id } = await createTask(store, ann, DRAFT, CAT, now());
  await patch(id, { title: "b" });
  await patch(id, { title: "c" });
  await file(id, B);
  await createTask(store, ann, DRAFT, BOT, now());
  await undo();
  const before = await rows();
  expect(summaryOf(await undo())).toEqual([]);
  expect(await rows()).toEqual(before);
});

test("Records that ann deleted since, or never had, are not reported; those she trashed are undone in the trash", async () => {
  const { store, ann, now, device, undo, patch, payload, row } = await undoWorld();
  const phone = device("phone");
  for (const id of ["gone", "trashed"]) {
    await phone.push(id, { title: "a" });
    await patch(id, { title: "b" });
  }
  await phone.pull();
  await phone.push("gone", {}, { deleted_at: "2026-03-04T12:00:00Z" });
  await phone.push("trashed", { title: "b", bucket_id: "trash" });
  const deleted = await row("gone");
  expect(summaryOf(await undo())).toEqual(["b title undone"]);
  expect(await payload("trashed")).toEqual({ title: "a", bucket_id: "trash" });
  expect(await row("gone")).toEqual(deleted);
  expect(
    summaryOf(await previewUndo(store, ann, { keyIds: ["no-key"], since: 0, upTo: now() })),
  ).toEqual([]);
});

test("An undo is in the history, and what it undid can be restored, whoever made it", async () => {
  const { store, ann, now, undo, patch, file, past, payload, row, tabs } = await undoWorld();
  const { id } = await createTask(store, ann, DRAFT, BOT, now());
  await file(id, B);
  await patch(id, { title: "c" });
  const stood = await payload(id);
  await undo();
  const [step] = await past(id);
  expect([step?.version.loss, step?.version.byKind, step?.after?.deletedAt]).toEqual([
    "undone",
    "person",
    (await row(id)).deletedAt,
  ]);
  await restoreVersion(store, ann, step?.version.id ?? 0, now());
  expect([await payload(id), (await row(id)).deletedAt, await tabs(id)]).toEqual([
    stood,
    null,
    ["A: bot", "B: bot"],
  ]);
  expect(await row(id)).toMatchObject({ createdBy: "agent", createdByKey: "bot" });
});

test("A task that a key created and ann undid does not come back when a device pushes it", async () => {
  const { store, ann, now, device, undo, row, payload } = await undoWorld();
  const laptop = device("laptop");
  const { id } = await createTask(store, ann, DRAFT, BOT, now());
  await laptop.pull();
  const held = await payload(id);
  await undo();
  expect(await laptop.push(id, { ...held, mood: 1 })).toMatchObject({
    applied: 1,
    merged: [{ id }],
  });
  expect((await row(id)).deletedAt).not.toBeNull();
  await laptop.pull();
  await laptop.push(id, { ...held, mood: 1 });
  expect((await row(id)).deletedAt).toBeNull();
});

test("Nothing of another account is undone, even if its key is named", async () => {
  const { store, now, request } = await undoWorld();
  const bob = await accountFor(store, "bob@example.org");
  const { id } = await createTask(store, bob, DRAFT, BOT, now());
  const { ann } = await annsRecords(store);
  const asked = { ...(await request()), upTo: 1_000 };
  const at: Instant = now();
  expect([await previewUndo(store, ann, asked), await undoKeys(store, ann, asked, at)]).toEqual([
    [],
    [],
  ]);
  expect(summaryOf(await previewUndo(store, bob, asked))).toEqual(["Buy milk made undone"]);
  expect(id).not.toBe("");
});
