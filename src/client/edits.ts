import { listField, type Payload } from "../domain/base/payload.ts";
import { KINDS, type Table } from "../domain/base/record.ts";
import type { ChildList } from "../domain/tasks/child.ts";
import { eachOnce, isSameTag } from "../domain/tasks/tags.ts";
import { DEFAULT_STATUS, MAX_TAGS, splitTitle } from "../domain/tasks/task.ts";
import {
  type ChildName,
  changedChild,
  childrenIn,
  inserted,
  placesOf,
  removed,
  withFields,
} from "./children.ts";
import { withGroupsOf } from "../domain/tasks/groups.ts";
import { NotPossible } from "./state.ts";
import type { Desk, Edit } from "./edit.ts";

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
  /** See `placesFor` in `positions.ts`. */
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

export type TabFields = {
  readonly url?: string;
  readonly title?: string | null;
  readonly group?: string | null;
  readonly pinned?: boolean | null;
};

export type NewTab = TabFields & { readonly id?: string; readonly url: string };

export type NewNote = { readonly id?: string; readonly text: string };

export type NewTask = TaskFields & {
  readonly id: string;
  readonly title: string;
  readonly tabs?: readonly NewTab[];
  readonly notes?: readonly NewNote[];
};

/** What is over in a title that is too long becomes notes, so that nothing of it is lost. */
export const createTask =
  ({ id, tabs = [], notes = [], ...fields }: NewTask): Edit =>
  (desk) => {
    const { title, rest } = splitTitle(fields.title);
    const all = [...rest.map((text) => ({ text })), ...notes];
    return desk.write("sync_tasks", id, {
      status: DEFAULT_STATUS,
      created_at: desk.now,
      ...withFields({}, taskPayload({ ...fields, title })),
      pages: tabs.map((tab) => tabItem(desk, tab)),
      notes: all.map((note) => noteItem(desk, note)),
    });
  };

export const setTask = (id: string, fields: TaskFields): Edit =>
  change("sync_tasks", id, (payload) => withFields(payload, taskPayload(fields)));

/** Adds tags to those that a task has by now. One that it has already keeps its spelling. */
export const addTags = (id: string, added: readonly string[]): Edit =>
  change("sync_tasks", id, (payload) => {
    const had = listField(payload, "tags");
    const isThere = (tag: string): boolean => had.some((one) => isTag(one, tag));
    const tags = [...had, ...eachOnce(added).filter((tag) => !isThere(tag))];
    if (tags.length > Math.max(MAX_TAGS, had.length))
      throw new NotPossible(`A task can have up to ${MAX_TAGS} tags. Remove one first.`);
    return { ...payload, tags };
  });

/** Takes a tag off, in all its spellings. */
export const removeTag = (id: string, tag: string): Edit =>
  change("sync_tasks", id, (payload) => ({
    ...payload,
    tags: listField(payload, "tags").filter((one) => !isTag(one, tag)),
  }));

const isTag = (value: unknown, tag: string): boolean =>
  typeof value === "string" && isSameTag(value, tag);

const taskPayload = ({ folderId, bucketId, ...fields }: TaskFields): Payload => ({
  ...fields,
  project_id: folderId,
  bucket_id: bucketId,
});

export const createFolder =
  ({ id, ...fields }: FolderFields & { readonly id: string; readonly name: string }): Edit =>
  (desk) =>
    desk.write("sync_projects", id, withFields({}, fields));

export const setFolder = (id: string, fields: FolderFields): Edit =>
  change("sync_projects", id, (payload) => withFields(payload, fields));

export const createBucket =
  ({ id, ...fields }: BucketFields & { readonly id: string; readonly name: string }): Edit =>
  (desk) =>
    desk.write("sync_buckets", id, withFields({}, fields));

export const setBucket = (id: string, fields: BucketFields): Edit =>
  change("sync_buckets", id, (payload) => withFields(payload, fields));

/** Deletes a record of any table. Tasks of a deleted folder or bucket keep its id, so that it can be revived. */
export const remove =
  (table: Table, id: string): Edit =>
  (desk) =>
    desk.remove(table, id);

/** Deletes a record with all that it holds, whether or not it was deleted before: no device can revive it. */
export const removeForGood =
  (table: Table, id: string): Edit =>
  (desk) =>
    desk.remove(table, id, {});

/** Brings a deleted record back, with what it held. */
export const revive =
  (table: Table, id: string): Edit =>
  async (desk) => {
    const found = await desk.find(table, id);
    if (found === null) throw gone(table);
    if (found.isDeleted) await desk.write(table, id, found.payload);
  };

/** Adds tabs to a task, at an index; without one, at the end. */
export const addTabs = (taskId: string, tabs: readonly NewTab[], at?: number): Edit =>
  add(taskId, "pages", (desk) => tabs.map((tab) => tabItem(desk, tab)), at);

export const setTab = (taskId: string, tab: ChildName, fields: TabFields): Edit =>
  setChild(taskId, "pages", tab, () => fields);

export const removeTabs = (taskId: string, tabs: readonly ChildName[]): Edit =>
  removeChildren(taskId, "pages", tabs);

/**
 * Moves tabs, in the order in which they are named, to an index of a task: the same one (reorder) or another. The
 * index counts what is left once the moved ones are taken out. Without an index: to the end. A tab's group goes along.
 */
export const moveTabs = (from: string, tabs: readonly ChildName[], to: string, at?: number): Edit =>
  move("pages", from, tabs, to, at);

export const addNote = (taskId: string, note: NewNote, at?: number): Edit =>
  add(taskId, "notes", (desk) => [noteItem(desk, note)], at);

export const setNote = (taskId: string, note: ChildName, text: string): Edit =>
  setChild(taskId, "notes", note, ({ now }) => ({ text, edited_at: now }));

export const removeNotes = (taskId: string, notes: readonly ChildName[]): Edit =>
  removeChildren(taskId, "notes", notes);

/** As `moveTabs`. */
export const moveNotes = (
  from: string,
  notes: readonly ChildName[],
  to: string,
  at?: number,
): Edit => move("notes", from, notes, to, at);

const tabItem = (desk: Desk, { id = desk.newId(), ...fields }: NewTab): Payload => ({
  id,
  ...withFields({}, fields),
  added_at: desk.now,
});

export const noteItem = (desk: Desk, { id = desk.newId(), text }: NewNote): Payload => ({
  id,
  text,
  added_at: desk.now,
});

const change =
  (table: Table, id: string, decide: (payload: Payload, desk: Desk) => Payload): Edit =>
  async (desk) => {
    const payload = await desk.read(table, id);
    if (payload === null) throw gone(table);
    await desk.write(table, id, decide(payload, desk));
  };

export const gone = (table: Table): NotPossible =>
  new NotPossible(`This ${KINDS[table]} is no longer there. It may have been deleted.`);

const changeList = (
  taskId: string,
  list: ChildList,
  decide: (items: readonly unknown[], desk: Desk) => readonly unknown[],
): Edit =>
  change("sync_tasks", taskId, (payload, desk) => ({
    ...payload,
    [list]: decide(childrenIn(payload, list), desk),
  }));

const add = (
  taskId: string,
  list: ChildList,
  added: (desk: Desk) => readonly unknown[],
  at: number | undefined,
): Edit => changeList(taskId, list, (items, desk) => inserted(items, added(desk), at));

const setChild = (
  taskId: string,
  list: ChildList,
  name: ChildName,
  fields: (desk: Desk) => Payload,
): Edit =>
  changeList(taskId, list, (items, desk) => {
    const [place] = placesOf(items, list, [name]);
    return items.map((item, at) => (at === place ? changedChild(item, list, fields(desk)) : item));
  });

const removeChildren = (taskId: string, list: ChildList, names: readonly ChildName[]): Edit =>
  changeList(taskId, list, (items) => removed(items, placesOf(items, list, names)));

const move =
  (
    list: ChildList,
    from: string,
    names: readonly ChildName[],
    to: string,
    at: number | undefined,
  ): Edit =>
  async (desk) => {
    let moved: readonly unknown[] = [];
    let source: Payload = {};
    const take = change("sync_tasks", from, (payload) => {
      const items = childrenIn(payload, list);
      const places = placesOf(items, list, names);
      const taken = places.map((place) => items[place]);
      moved = from === to ? taken : taken.map((item) => arrived(item, list, desk));
      source = payload;
      return { ...payload, [list]: removed(items, places) };
    });
    await take(desk);
    const put = change("sync_tasks", to, (payload) => {
      const { task, tabs } = withGroupsOf(payload, source, moved, desk.newId);
      return { ...task, [list]: inserted(childrenIn(payload, list), tabs, at) };
    });
    await put(desk);
  };

/**
 * What comes to another task says when it came. If that task still shows it, since another browser has only just moved it
 * away, the two copies differ: so it counts as changed there and stays, whichever browser's push arrives first.
 */
const arrived = (item: unknown, list: ChildList, { now }: Desk): Payload =>
  changedChild(item, list, { moved_at: now });
