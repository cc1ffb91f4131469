import { expect, test } from "bun:test";
import { join } from "node:path";
import * as edits from "../../../../src/db/records/edits.ts";
import { restoreBackup, writeBackup } from "../../../../src/db/sqlite/files/backup.ts";
import { Refusal } from "../../../../src/domain/base/refusal.ts";
import { refused } from "../../../support/refused.ts";
import { NOON } from "../../../support/server.ts";
import { BOOK, expectIndexed, finder, searchWorld, TAB } from "../../../support/db/search.ts";
import { BOT, directoryForTest, openForTest, pushTask } from "../../../support/db/store.ts";
import { undoWorld } from "../../../support/db/undo.ts";
import {
  addNote,
  createTask,
  fileInbox,
  fileTabs,
  patchTask,
  restoreDeleted,
  restoreVersion,
} from "../../../support/rules.ts";

const draft = (title: string) => ({ title, tabs: [], notes: [] });

test("Everything written in any way is searchable: a push, a key's task, its change, tabs, notes and the inbox", async () => {
  const { store, ann, now, device, find } = await searchWorld();
  await device("phone").push("t1", { title: "pushed" });
  const whole = { title: "made", tabs: [TAB], notes: ["noted"] };
  const { id } = await createTask(store, ann, whole, BOT, now());
  for (const q of ["made", "chapter", "noted"]) expect(await find(q)).toEqual([id]);
  await patchTask(store, ann, "t1", { patch: { title: "renamed" }, ifMatch: null }, BOT, now());
  expect([await find("renamed"), await find("pushed")]).toEqual([["t1"], []]);
  await fileTabs(store, ann, "t1", [{ url: "https://filed.example/", title: null }], BOT, now());
  await addNote(store, ann, "t1", "added", BOT, now());
  const inbox = await fileInbox(
    store,
    ann,
    [{ url: "https://in.example/", title: "Box" }],
    BOT,
    now(),
  );
  for (const [q, found] of [
    ["filed", "t1"],
    ["added", "t1"],
    ["box", inbox.id],
  ] as const)
    expect([q, await find(q)]).toEqual([q, [found]]);
  expectIndexed(store.directory);
});

test("A merged task is found by what the device sent and by what the key had filed", async () => {
  const { store, ann, now, device, find, tabs } = await searchWorld();
  const phone = device("phone");
  await phone.push("t1", { title: "first", pages: [] });
  await fileTabs(store, ann, "t1", [{ url: "https://filed.example/", title: "Filed" }], BOT, now());
  await phone.push("t1", { title: "second", pages: [TAB] });
  expect(await tabs("t1")).toEqual(["Chapter 4: person", "Filed: bot"]);
  for (const q of ["second", "chapter", "filed", "second filed"])
    expect(await find(q)).toEqual(["t1"]);
  expect(await find("first")).toEqual([]);
  expectIndexed(store.directory);
});

test("A deleted task is not found until it comes back", async () => {
  const { store, ann, now, device, find, payload, past } = await searchWorld();
  const phone = device("phone");
  await phone.push("t1", BOOK);
  await phone.push("t1", await payload("t1"), { deleted_at: "2026-03-04T12:00:00Z" });
  expect(await find("rust", { closed: true })).toEqual([]);
  expectIndexed(store.directory);
  await restoreDeleted(store, ann, "sync_tasks", "t1", now());
  expect(await find("rust")).toEqual(["t1"]);
  await phone.push("t1", { title: "other" });
  expect(await find("rust")).toEqual([]);
  const version = (await past("t1")).find(({ version: one }) => one.loss === "edited");
  await restoreVersion(store, ann, version?.version.id ?? 0, now());
  expect(await find("rust")).toEqual(["t1"]);
  expectIndexed(store.directory);
});

test("Undone content is no longer found, and the content before it is found again", async () => {
  const { store, ann, device, patch, file, undo } = await undoWorld();
  const find = finder(store, ann);
  await device("phone").push("t1", { title: "before", pages: [] });
  await patch("t1", { title: "after" });
  await file("t1", { url: "https://filed.example/", title: "Filed" });
  expect(await find("after filed")).toEqual(["t1"]);
  await undo();
  expect([await find("before"), await find("after"), await find("filed")]).toEqual([
    ["t1"],
    [],
    [],
  ]);
  expectIndexed(store.directory);
});

test("A task in the trash is not found, even if its bucket became a trash bucket only later", async () => {
  const { store, device, find } = await searchWorld();
  const phone = device("phone");
  await phone.push("t1", { title: "rust", bucket_id: "trash" });
  await phone.push("t2", { title: "rust", bucket_id: "b1" });
  expect(await find("rust", { closed: true })).toEqual(["t2"]);
  await phone.push("b1", { kind: "trash" }, { table: "sync_buckets" });
  expect(await find("rust", { closed: true })).toEqual([]);
  await phone.push("b1", { kind: "column" }, { table: "sync_buckets" });
  await phone.push("t1", { title: "rust", bucket_id: null });
  expect(await find("rust")).toEqual(["t1", "t2"]);
  expectIndexed(store.directory);
});

test("Matches in fewer places come first, whole words before prefixes, and newest first", async () => {
  const { device, find } = await searchWorld();
  const phone = device("phone");
  await phone.push("begun", { title: "tables" });
  await phone.push("old title", { title: "a table of many other words, among which it is lost" });
  await phone.push("title", { title: "table" });
  await phone.push("url", { pages: [{ url: "https://table.example/table/table" }] });
  await phone.push("note", { notes: ["table table table"] });
  await phone.push("tab", { pages: [{ title: "table" }] });
  await phone.push("begun tab", { pages: [{ title: "tablet" }] });
  const order = ["title", "old title", "begun", "tab", "begun tab", "note", "url"];
  expect(await find("table")).toEqual(order);
  // How often others use a word must not matter: the searcher could learn of it.
  for (let at = 0; at < 20; at += 1)
    await phone.push(`x${at}`, { title: "tables", status: "done" });
  expect(await find("table")).toEqual(order);
});

test("A refused write leaves nothing to be found, and the other writes of its commit are stored", async () => {
  const { store, ann, now, find } = await searchWorld();
  const [one, , two] = await Promise.all([
    createTask(store, ann, draft("rust one"), BOT, now()),
    refused(() =>
      store.transaction(ann, now(), async (tx) => {
        const outcome = await tx.attempt(async () => {
          await edits.createTask(tx, draft("rust refused"), BOT);
          throw new Refusal("invalid", "No.");
        });
        if (!outcome.done) throw outcome.refusal;
      }),
    ),
    createTask(store, ann, draft("rust two"), BOT, now()),
  ]);
  expect(await find("rust")).toEqual([two.id, one.id]);
  expectIndexed(store.directory);
});

test("A backup can be searched like the data that it was made from", async () => {
  const { store, ann, device } = await searchWorld();
  await device("phone").push("t1", BOOK);
  await device("phone").push("t2", { title: "gone" }, { deleted_at: "2026-03-04T12:00:00Z" });
  const file = join(directoryForTest(), "backup.db");
  writeBackup(store.directory, file);
  const directory = directoryForTest();
  await restoreBackup(directory, file, NOON);
  const restored = await openForTest({ directory });
  expect(await finder(restored, ann)("rust chapter")).toEqual(["t1"]);
  await pushTask(restored, ann, "t3", NOON + 1, { title: "rust" });
  expect(await finder(restored, ann)("rust")).toEqual(["t3", "t1"]);
  expectIndexed(directory);
});

const PUSHING = join(import.meta.dir, "../../../support/db/pushing.ts");

test("After a server was killed while writing, the index holds exactly what is stored", async () => {
  const directory = directoryForTest();
  const child = Bun.spawn([process.execPath, PUSHING, directory], { stdout: "pipe" });
  const output = child.stdout.getReader();
  await output.read();
  await Bun.sleep(100);
  child.kill("SIGKILL");
  await child.exited;
  const store = await openForTest({ directory });
  expect((await finder(store, 1)("rust")).length).toBeGreaterThan(0);
  expectIndexed(directory);
});
