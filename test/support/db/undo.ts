import { expect } from "bun:test";
import {
  newestVersion,
  previewUndo,
  undoKeys,
  type UndoneRecord,
} from "../../../src/db/history/undo.ts";
import type { TaskPatch } from "../../../src/domain/tasks/content.ts";
import { annsRecords } from "./past.ts";
import { BOT, openForTest } from "./store.ts";
import { createFolder, fileTabs, patchTask } from "../rules.ts";

/** Tabs that keys file, and a task that they create. */
export const A = { url: "https://a.example/", title: "A" };
export const B = { url: "https://b.example/", title: "B" };
export const DRAFT = { title: "Buy milk", tabs: [A], notes: ["oat"] };

/** ann's records, and her two keys working on them. */
export const undoWorld = async () => {
  const records = await annsRecords(await openForTest());
  const { store, ann, now } = records;
  const newest = () => newestVersion(store, ann);
  const request = async (more: object = {}) => {
    const upTo = await newest();
    return { keyIds: ["key-1"], since: 0, upTo, ...more };
  };
  const preview = async (more?: object) => previewUndo(store, ann, await request(more));
  /** Previews the undo first, as a person does, and checks that the result matches. */
  const undo = async (more?: object): Promise<readonly UndoneRecord[]> => {
    const asked = await request(more);
    const expected = await previewUndo(store, ann, asked);
    const done = await undoKeys(store, ann, asked, now());
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

/** Each undone change in one line. */
export const summaryOf = (records: readonly UndoneRecord[]): readonly string[] =>
  records.flatMap(({ title, undoings }) =>
    undoings.map(({ what, state, changedBy }) =>
      [title, what, state, ...(changedBy ? [changedBy.id] : [])].join(" "),
    ),
  );
