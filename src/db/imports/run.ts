import { breathe } from "../../domain/base/breathe.ts";
import { isObject, listField, textField } from "../../domain/base/payload.ts";
import { byteLength } from "../../domain/base/text.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { PERSON, SOMEONE } from "../../domain/people/account.ts";
import { contentOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import {
  addImportedTabs,
  importedTask,
  MOST_TABS,
  numberedTitle,
  partsOf,
  PER_TAB,
  type TabToImport,
  type TaskToImport,
} from "../../domain/tasks/imported.ts";
import type { ImportedTask } from "../../import/model.ts";
import { placeBehind } from "../../domain/tasks/positions.ts";
import { foldersNamed } from "../../domain/tasks/folder.ts";
import { findRecord } from "../records/find.ts";
import { createFolder } from "../records/folders.ts";
import { readNames } from "../records/named-folders.ts";
import { editRecord, insertRecord, newId } from "../records/write.ts";
import type { Store } from "../store.ts";
import type { ImportName, Transaction } from "../transaction.ts";
import { type Made, NOTHING, type Preview, runInBatches, type Told } from "./batches.ts";
import { madeOf } from "./journal.ts";

/** A file that is to be imported. */
export type ToImport = ImportName & { readonly tasks: readonly ImportedTask[] };

/** Says what an import will make of a file. Writes nothing. */
export const previewImport = async (
  { reader }: Pick<Store, "reader">,
  accountId: number,
  { format, tasks }: ToImport,
): Promise<Preview> => {
  const names = new Set<string>();
  const preview = { ...NOTHING, bytes: 0 };
  for (const task of tasks) {
    await breathe();
    const there = await liveTasks(
      await madeOf(reader, accountId, sourceOf(format, task)),
      async (id) => findRecord(reader, accountId, "sync_tasks", id),
    );
    const tabs = there.length === 0 ? task.tabs : missingIn(there, task.tabs);
    preview.tabs += tabs.length;
    preview.bytes += tabs.reduce((sum, tab) => sum + sizeOf(tab), 0);
    if (there.length > 0) preview.known += 1;
    else {
      preview.tasks += partsOf(task).length;
      preview.notes += task.notes.length;
      preview.bytes += PER_TASK + task.notes.reduce((sum, note) => sum + byteLength(note), 0);
      names.add(task.folder.normalize("NFC"));
    }
  }
  const folders = await readNames(reader, accountId, null);
  const there = new Set(folders.map(({ name }) => name.normalize("NFC")));
  return { ...preview, folders: [...names].filter((name) => !there.has(name)).length };
};

/** What a task takes up beside its tabs and notes, in bytes. */
const PER_TASK = 1_200;

const sizeOf = ({ url, title }: TabToImport): number =>
  byteLength(url) + byteLength(title) + PER_TAB;

const sourceOf = (format: string, { key }: ImportedTask): string => `${format}\n${key}`;

const liveTasks = async (
  ids: readonly string[],
  find: (id: string) => Promise<RecordRow | null>,
): Promise<readonly RecordRow[]> => {
  const rows: RecordRow[] = [];
  for (const id of ids) {
    const row = await find(id);
    if (row && row.deletedAt === null) rows.push(row);
  }
  return rows;
};

/** The tabs whose addresses no task has. */
const missingIn = (
  there: readonly RecordRow[],
  tabs: readonly TabToImport[],
): readonly TabToImport[] => {
  const known = new Set(there.flatMap((row) => addressesIn(row)));
  return tabs.filter(({ url }) => !known.has(url));
};

const addressesIn = (row: RecordRow): readonly string[] =>
  listField(payloadOf(row), "pages").flatMap((page) =>
    isObject(page) ? (textField(page, "url") ?? []) : [],
  );

/** Tabs in one transaction. */
const TABS_AT_ONCE = 500;

/**
 * Imports a file, as a person's own work: see `runInBatches`. What an earlier import made of the same thing stays as it is, but
 * gets the tabs that it lacks.
 */
export const runImport = async (
  store: Store,
  accountId: number,
  file: ToImport,
  clock: () => Instant,
  told: Told = {},
): Promise<number> => {
  const { format, tasks } = file;
  const folders = { ids: new Map<string, string>(), places: new Map<string, string>() };
  const work = {
    items: tasks,
    bytes: async () => (await previewImport(store, accountId, file)).bytes,
    weightOf: ({ tabs }: ImportedTask) => tabs.length,
    most: TABS_AT_ONCE,
    importOne: (tx: Transaction, importId: number, task: ImportedTask) =>
      importTask(tx, { importId, format, task, folders }),
  };
  return runInBatches(store, accountId, file, work, clock, told);
};

/** What an import remembers of the folders that it puts tasks into. */
type Folders = {
  /** Their ids, by name. */
  readonly ids: Map<string, string>;
  /** The last position in each, by id. */
  readonly places: Map<string, string>;
};

type Step = {
  readonly importId: number;
  readonly format: string;
  readonly task: ImportedTask;
  readonly folders: Folders;
};

const importTask = async (tx: Transaction, step: Step): Promise<Made> => {
  const { importId, format, task } = step;
  const source = sourceOf(format, task);
  const there = await liveTasks(await tx.imports.madeOf(source), async (id) => {
    const [row = null] = await tx.records.find([{ table: "sync_tasks", id }]);
    return row;
  });
  if (there.length === 0) return insertTasks(tx, step, partsOf(task), source);
  const missing = missingIn(there, task.tabs);
  const last = there.at(-1);
  if (missing.length === 0 || !last) return { ...NOTHING, known: 1 };
  const held = addressesIn(last).length;
  const room = missing.slice(0, Math.max(0, MOST_TABS - held));
  if (room.length > 0) {
    const filing = { author: PERSON, now: tx.now, newId };
    const before = contentOf(last);
    const count = listField(before.payload, "pages").length;
    const after = addImportedTabs(before, room, task.groups, filing);
    const row = await editRecord(tx, last, after, { loss: "edited", by: SOMEONE });
    const tabs = listField(after.payload, "pages")
      .slice(count)
      .map((page) => (isObject(page) ? (textField(page, "id") ?? "") : ""));
    await tx.imports.note(importId, {
      table: "sync_tasks",
      id: row.id,
      source,
      stamp: row.changedAt,
      tabs,
    });
  }
  const rest = { ...task, tabs: missing.slice(room.length), notes: [] };
  if (rest.tabs.length === 0) return { ...NOTHING, known: 1, tabs: room.length };
  const title = numberedTitle(task.title, there.length + 1);
  const made = await insertTasks(tx, step, partsOf({ ...rest, title }), source);
  return { ...made, known: 1, tabs: made.tabs + room.length };
};

const insertTasks = async (
  tx: Transaction,
  { importId, task, folders }: Step,
  parts: readonly TaskToImport[],
  source: string,
): Promise<Made> => {
  const folder = await folderFor(tx, importId, task.folder, folders.ids);
  const filing = { author: PERSON, now: tx.now, newId };
  for (const part of parts) {
    const place = {
      project_id: folder.id,
      position: await nextPlace(tx, folder.id, folders.places),
    };
    const content = importedTask(part, place, filing);
    const key = { table: "sync_tasks", id: newId(tx.now) } as const;
    const row = await insertRecord(tx, key, content, { loss: "edited", by: SOMEONE });
    await tx.imports.note(importId, {
      table: "sync_tasks",
      id: row.id,
      source,
      stamp: row.changedAt,
      tabs: null,
    });
  }
  return {
    folders: folder.isNew ? 1 : 0,
    tasks: parts.length,
    tabs: parts.reduce((sum, { tabs }) => sum + tabs.length, 0),
    notes: parts.reduce((sum, { notes }) => sum + notes.length, 0),
    known: 0,
  };
};

/** The live folder of that very name, or a new one. */
const folderFor = async (
  tx: Transaction,
  importId: number,
  name: string,
  ids: Map<string, string>,
): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  const last = ids.get(name);
  if (last !== undefined && (await tx.folders.has(last, null))) return { id: last, isNew: false };
  const [known] = foldersNamed(await tx.folders.names(null), name);
  if (known) {
    ids.set(name, known.id);
    return { id: known.id, isNew: false };
  }
  const made = await createFolder(tx, { name, colour: null }, { ...SOMEONE, restriction: null });
  await tx.imports.note(importId, {
    table: "sync_projects",
    id: made.id,
    source: null,
    stamp: made.stamp,
    tabs: null,
  });
  ids.set(name, made.id);
  return { id: made.id, isNew: true };
};

/** New tasks come after all that a folder holds. */
const nextPlace = async (
  tx: Transaction,
  folderId: string,
  places: Map<string, string>,
): Promise<string> => {
  const last = places.get(folderId) ?? (await tx.folders.lastPlace(folderId));
  const next = placeBehind(last);
  places.set(folderId, next);
  return next;
};
