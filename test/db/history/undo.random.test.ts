import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { Refusal } from "../../../src/domain/base/refusal.ts";
import type { Editor } from "../../../src/domain/people/account.ts";
import { openStore } from "../../../src/db/open.ts";
import { payloadOf, type RecordRow } from "../../../src/domain/records/row.ts";
import { taskChildren } from "../../../src/db/records/lookup.ts";
import { newestVersion, previewUndo, undoKeys } from "../../../src/db/history/undo.ts";
import type { TaskPatch } from "../../../src/domain/tasks/content.ts";
import { isObject, listField } from "../../../src/domain/base/payload.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { annsRecords, CAT } from "../../support/db/past.ts";
import { newDirectory } from "../../support/db/place.ts";
import { BOT } from "../../support/db/store.ts";
import {
  addNote,
  createFolder,
  createTask,
  fileInbox,
  fileTabs,
  patchTask,
} from "../../support/rules.ts";

const directory = newDirectory();
const store = await openStore({ directory, role: "server", now: NOON });
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

// Few of each, so that equal values are common.
const names = fc.constantFrom("a", "b", "c");
const keyActs = fc.record({
  do: fc.constantFrom("folder", "inbox", "move", "note", "patch", "tabs", "task"),
  pick: fc.nat(9),
  name: names,
  status: fc.constantFrom("todo", "done", "waiting"),
  colour: fc.option(names, { nil: null }),
});
/** A device sends a task back as it pulled it, except for what the extension does with tabs and notes. */
const echoes = fc.record({
  do: fc.constant("echo" as const),
  pick: fc.nat(9),
  form: fc.constantFrom<Form>("with fields of its own", "without ids", "with its own ids"),
});
type Form = "with fields of its own" | "with its own ids" | "without ids";
type KeyAct = typeof keyActs extends fc.Arbitrary<infer One> ? One : never;
type Act = KeyAct | (typeof echoes extends fc.Arbitrary<infer One> ? One : never);

const acts = fc.array(
  fc.oneof({ weight: 5, arbitrary: keyActs }, { weight: 2, arbitrary: echoes }),
  { minLength: 1, maxLength: 20, size: "max" },
);

let ownIds = 0;
const formed = (form: Form, item: unknown): unknown => {
  if (!isObject(item)) return item;
  const { id: _id, created_by: _by, created_by_key: _key, created_at: _at, ...rest } = item;
  if (form === "with fields of its own") return { ...item, pinned: true };
  return form === "without ids" ? rest : { ...rest, id: `own-${(ownIds += 1)}` };
};

/** ann's records, with a task and a folder of hers, and functions that act for her keys and her device. */
const world = async () => {
  const records = await annsRecords(store);
  const { ann, now, device, rows, payload } = records;
  const phone = device("phone");
  await phone.push("home", { name: "Home" }, { table: "sync_projects" });
  const tab = { id: "own", url: "https://a.example/", title: "a" };
  await phone.push("t1", {
    title: "a",
    project_id: "home",
    pages: [tab],
    notes: ["a", { text: "b" }],
  });
  await phone.push("t2", { order: 1 });

  const live = async (table: string) =>
    (await rows()).filter((row) => row.table === table && row.deletedAt === null);
  const pickOf = async (table: string, pick: number): Promise<string> => {
    const all = await live(table);
    return all[pick % all.length]?.id ?? "";
  };
  const echo = async (pick: number, form: Form): Promise<unknown> => {
    const id = await pickOf("sync_tasks", pick);
    await phone.pull();
    const was = await payload(id);
    const lists = Object.fromEntries(
      ["pages", "notes"]
        .filter((list) => list in was)
        .map((list) => [list, listField(was, list).map((item) => formed(form, item))]),
    );
    return phone.push(id, { ...was, ...lists, mood: pick });
  };
  const act = async (one: Act, by: Editor): Promise<unknown> => {
    if (one.do === "echo") return echo(one.pick, one.form);
    const { pick, name, status, colour } = one;
    const [id, at] = [await pickOf("sync_tasks", pick), now()];
    const tabs = [{ url: `https://${name}.example/`, title: name }];
    const patch = (fields: TaskPatch) =>
      patchTask(store, ann, id, { patch: fields, ifMatch: null }, by, at);
    switch (one.do) {
      case "folder":
        // A key makes no second folder of a name.
        return createFolder(store, ann, { name, colour }, by, at).catch((error: unknown) => {
          if (!(error instanceof Refusal && error.reason === "already_there")) throw error;
        });
      case "inbox":
        return fileInbox(store, ann, tabs, by, at);
      case "move":
        return patch({ project_id: pick === 0 ? null : await pickOf("sync_projects", pick) });
      case "note":
        return addNote(store, ann, id, name, by, at);
      case "patch":
        return patch({ title: name, status, colour });
      case "tabs":
        return fileTabs(store, ann, id, [...tabs, ...tabs], by, at);
      case "task":
        return createTask(store, ann, { title: name, tabs, notes: [name] }, by, at);
    }
  };
  return { ...records, act };
};

/** What a person sees of a record: nothing if it is deleted. */
const looks = (row: RecordRow) => {
  const { title, status, colour, project_id, bucket_id, name } = payloadOf(row);
  const { tabs, notes } = taskChildren(row);
  return {
    id: row.id,
    fields: [title, status, colour, project_id, bucket_id, name].map((value) => value ?? null),
    tabs: tabs.map((tab) => [tab.url, tab.title, tab.created_by, tab.created_by_key]),
    notes: notes.map((note) => [note.text, note.created_by, note.created_by_key]),
  };
};

test("After undoing a key's changes that nobody built on, each record looks as it did before the first of them", async () => {
  await fc.assert(
    fc.asyncProperty(acts, acts, async (before, mine) => {
      const { ann, now, rows, act } = await world();
      for (const one of before) await act(one, one.do === "echo" || one.pick % 2 === 0 ? CAT : BOT);
      const seen = async () => (await rows()).filter((row) => row.deletedAt === null).map(looks);
      const [looked, since] = [await seen(), now()];
      for (const one of mine) await act(one, BOT);
      const request = { keyIds: ["key-1"], since, upTo: await newestVersion(store, ann) };
      const planned = await previewUndo(store, ann, request);
      expect(await undoKeys(store, ann, request, now())).toEqual(planned);
      expect(
        planned.flatMap(({ undoings }) => undoings).filter(({ state }) => state === "changed"),
      ).toEqual([]);
      expect(await seen()).toEqual(looked);
      const stood = await rows();
      expect(await undoKeys(store, ann, request, now())).toEqual([]);
      expect(await rows()).toEqual(stood);
    }),
    cases(25),
  );
});
