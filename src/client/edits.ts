import type { Table } from "../domain/base/record.ts";
import type { Edit } from "./edit.ts";

// What people can do to records. Each function returns an edit for `client.edit`; several of them make one step.
// A field that is left out is not touched; null clears it. Unknown fields of a payload always survive.

export type TaskFields = {
  readonly title?: string;
  readonly status?: string;
  readonly colour?: string | null;
  readonly folderId?: string | null;
  readonly bucketId?: string | null;
  /** `YYYY-MM-DD`. */
  readonly due?: string | null;
  readonly tags?: readonly string[];
  /** See `between` in `positions.ts`. */
  readonly position?: string | null;
};

export type FolderFields = {
  readonly name?: string;
  readonly colour?: string | null;
  readonly position?: string | null;
};

export type BucketFields = {
  readonly name?: string;
  readonly kind?: "trash" | null;
  readonly position?: string | null;
};

export type NewTab = {
  readonly id?: string;
  readonly url: string;
  readonly title?: string;
  readonly group?: string | null;
  readonly pinned?: boolean;
};

/** Names a tab or note of a task: by its id, or, where it has none, by its place (`at` of its view). */
export type ChildName = string | number;

type NewTask = TaskFields & {
  readonly id: string;
  readonly title: string;
  readonly tabs?: readonly NewTab[];
  readonly notes?: readonly string[];
};

declare const edit: () => Edit;

export const createTask = (_task: NewTask): Edit => edit();
export const setTask = (_id: string, _fields: TaskFields): Edit => edit();

export const createFolder = (_folder: FolderFields & { readonly id: string }): Edit => edit();
export const setFolder = (_id: string, _fields: FolderFields): Edit => edit();
export const createBucket = (_bucket: BucketFields & { readonly id: string }): Edit => edit();
export const setBucket = (_id: string, _fields: BucketFields): Edit => edit();

/** Deletes a record of any table. Tasks of a deleted folder or bucket stay, in no folder or bucket. */
export const remove = (_table: Table, _id: string): Edit => edit();
/** Brings a deleted record back, with what it held. */
export const revive = (_table: Table, _id: string): Edit => edit();

/** Adds tabs to a task, at an index; without one, at the end. */
export const addTabs = (_taskId: string, _tabs: readonly NewTab[], _at?: number): Edit => edit();
export const setTab = (
  _taskId: string,
  _tab: ChildName,
  _fields: Partial<Omit<NewTab, "id">>,
): Edit => edit();
export const removeTabs = (_taskId: string, _tabs: readonly ChildName[]): Edit => edit();
/**
 * Moves tabs, in the order in which they are named, to an index of a task: the same one (reorder) or another. The
 * index counts what is left once the moved ones are taken out. Without an index: to the end.
 */
export const moveTabs = (
  _from: string,
  _tabs: readonly ChildName[],
  _to: string,
  _at?: number,
): Edit => edit();

export const addNote = (
  _taskId: string,
  _note: { readonly id?: string; readonly text: string },
  _at?: number,
): Edit => edit();
export const setNote = (_taskId: string, _note: ChildName, _text: string): Edit => edit();
export const removeNotes = (_taskId: string, _notes: readonly ChildName[]): Edit => edit();
export const moveNotes = (
  _from: string,
  _notes: readonly ChildName[],
  _to: string,
  _at?: number,
): Edit => edit();
