import { expect, test } from "bun:test";
import { findTaskView } from "../../../src/db/records/reach.ts";
import type { Editor } from "../../../src/domain/people/account.ts";
import { nameFolders } from "../../../src/db/records/folders.ts";
import { createKey, listKeys, readKey, replaceKey } from "../../../src/db/people/api-keys.ts";
import { readTaskView } from "../../../src/db/records/lookup.ts";
import { newestVersion, previewUndo, undoKeys } from "../../../src/db/history/undo.ts";
import { listHistory } from "../../../src/db/history/history.ts";
import { formatInstant, MINUTE } from "../../../src/domain/base/instant.ts";
import { MAX_FOLDERS, type Restriction } from "../../../src/domain/people/api-key.ts";
import { Refusal, taskNotFound } from "../../../src/domain/base/refusal.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, openForTest, PHONE, recordOf, taskRow } from "../../support/db/store.ts";
import {
  addNote,
  createFolder,
  createTask,
  fileTabs,
  patchTask,
  pushChanges,
} from "../../support/rules.ts";

const folders = (...ids: readonly string[]): Restriction => ({ kind: "folders", folders: ids });

const draft = (name: string) => ({ name, colour: null });

/**
 * ann with the folders Work and Home and a task in each, `inside` and `hidden`; and a key restricted to Work.
 */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const work = (await createFolder(store, ann, draft("Work"), PHONE, NOON)).id;
  const home = (await createFolder(store, ann, draft("Home"), PHONE, NOON)).id;
  const tasks = [
    recordOf("inside", NOON, { title: "inside", project_id: work }),
    recordOf("hidden", NOON, { title: "hidden", project_id: home }),
  ];
  await pushChanges(store, ann, null, tasks, NOON);
  const make = (restriction: Restriction | null) => {
    const wish = { name: "bot", scopes: ["read", "write"] as const, restriction, expiresAt: null };
    return createKey(store, ann, wish, cryptoRandom, NOON);
  };
  const { key } = await make(folders(work));
  const bot: Editor = { kind: "api_key", id: key.id, name: key.name, restriction: key.restriction };
  const move = (id: string, folder: string, now: number) =>
    pushChanges(store, ann, null, [recordOf(id, now, { title: id, project_id: folder })], now);
  return { store, ann, work, home, make, key, bot, move };
};

const NO_FOLDER = new Refusal(
  "invalid",
  "One of these folders no longer exists. No key was created.",
);
const TOO_MANY = new Refusal("invalid", "A key can be restricted to 1 to 50 folders.");
const NO_TASK = taskNotFound();

test("A key cannot be restricted to anything but live folders of its account", async () => {
  const { store, ann, work, make } = await world();
  const bob = await accountFor(store, "bob@example.org");
  const theirs = await createFolder(store, bob, draft("Work"), PHONE, NOON);
  const gone = { table: "sync_projects", deleted_at: formatInstant(NOON) };
  await pushChanges(store, ann, null, [recordOf("gone", NOON, { name: "Gone" }, gone)], NOON);
  const before = await listKeys(store, ann);
  for (const id of ["none", "Work", "inside", "gone", theirs.id]) {
    expect(make(folders(id))).rejects.toThrow(NO_FOLDER);
    expect(make(folders(work, id))).rejects.toThrow(NO_FOLDER);
  }
  await expect(make(folders())).rejects.toThrow(TOO_MANY);
  expect(await listKeys(store, ann)).toEqual(before);
});

test("A key can be restricted to the maximum number of folders, and to no more", async () => {
  const { store, ann, make } = await world();
  const records = Array.from({ length: MAX_FOLDERS + 1 }, (_, at) =>
    recordOf(`f${at}`, NOON, { name: `f${at}` }, { table: "sync_projects" }),
  );
  await pushChanges(store, ann, null, records, NOON);
  const ids = records.map(({ id }) => id);
  await expect(make(folders(...ids))).rejects.toThrow(TOO_MANY);
  const most = folders(...ids.slice(1));
  const { key } = await make(most);
  expect((await readKey(store, ann, key.id)).restriction).toEqual(most);
});

test("A successor has the same restriction, even if a folder was deleted meanwhile", async () => {
  const { store, ann, work, key } = await world();
  const gone = { table: "sync_projects", deleted_at: formatInstant(NOON + 1) };
  await pushChanges(store, ann, null, [recordOf(work, NOON + 1, {}, gone)], NOON + 1);
  expect((await nameFolders(store, ann)).map(({ name }) => name)).toEqual(["Home"]);
  const made = await replaceKey(store, ann, key.id, 0, cryptoRandom, NOON + 2);
  expect(made.key.restriction).toEqual(folders(work));
});

test("Every write checks where the task is in the same transaction that it writes in", async () => {
  const { store, ann, home, bot, move } = await world();
  const tabs = [{ url: "https://a.example/", title: null }];
  const patch = { patch: { title: "u" }, ifMatch: null };
  expect(
    JSON.parse((await findTaskView(store.reader, ann, bot.restriction, "inside")).row),
  ).toMatchObject({
    id: "inside",
  });
  const tries = [
    // It waits in the same flush, ahead of all others.
    move("inside", home, NOON + 1),
    patchTask(store, ann, "inside", patch, bot, NOON + 2),
    fileTabs(store, ann, "inside", tabs, bot, NOON + 2),
    addNote(store, ann, "inside", "n", bot, NOON + 2),
  ];
  const [moved, ...late] = await Promise.allSettled(tries);
  expect(moved?.status).toBe("fulfilled");
  for (const one of late) expect(one).toMatchObject({ status: "rejected", reason: NO_TASK });
  expect(() => readTaskView(store, ann, bot.restriction, "inside")).toThrow(NO_TASK);
});

test("Nothing is filed into a folder that is deleted in the same flush", async () => {
  const { store, ann, work, bot } = await world();
  const gone = { table: "sync_projects", deleted_at: formatInstant(NOON + 1) };
  const task = { title: "t", folder: work, tabs: [], notes: [] };
  const [, made] = await Promise.allSettled([
    pushChanges(store, ann, null, [recordOf(work, NOON + 1, {}, gone)], NOON + 1),
    createTask(store, ann, task, bot, NOON + 2),
  ]);
  const message =
    "folder does not match any folder in this account. Send an id or exact name from GET /projects.";
  expect(made).toMatchObject({ status: "rejected", reason: { reason: "invalid", message } });
});

test("What a restricted key did is in the history, and is undone even if it was moved out of reach since", async () => {
  const { store, ann, home, bot, key, move } = await world();
  await addNote(store, ann, "inside", "by the bot", bot, NOON + 1);
  const patch = { patch: { title: "by the bot" }, ifMatch: null };
  await patchTask(store, ann, "inside", patch, bot, NOON + 2);
  const before = await taskRow(store, ann, "hidden");
  await patchTask(
    store,
    ann,
    "inside",
    { patch: { folder: home }, ifMatch: null },
    PHONE,
    NOON + MINUTE,
  );
  const page = { after: null, limit: 10 };
  const { steps } = await listHistory(store, ann, "sync_tasks", "inside", page);
  expect(steps.filter(({ version }) => version.byId === key.id)).toHaveLength(2);
  const request = { keyIds: [key.id], since: 0, upTo: await newestVersion(store, ann) };
  expect((await previewUndo(store, ann, request)).map(({ id }) => id)).toEqual(["inside"]);
  await undoKeys(store, ann, request, NOON + 2 * MINUTE);
  const undone = JSON.parse((await readTaskView(store, ann, null, "inside")).row) as object;
  expect(undone).toMatchObject({ title: "inside", note_count: 0, project_id: home });
  expect(await taskRow(store, ann, "hidden")).toEqual(before);
  await move("inside", home, NOON + 3 * MINUTE);
  expect(() => readTaskView(store, ann, bot.restriction, "inside")).toThrow(NO_TASK);
});
