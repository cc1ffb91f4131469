import { tabTitle } from "../domain/tasks/child.ts";
import { isObject, listField, type Payload, textField } from "../domain/base/payload.ts";
import { shownName } from "../domain/base/text.ts";
import { eachOnce } from "../domain/tasks/tags.ts";
import { groupsIn } from "../domain/tasks/groups.ts";
import { DEFAULT_STATUS, INBOX_TITLE } from "../domain/tasks/task.ts";

// What the screen shows of a record. A view reads the fields it knows; a field of another type counts as absent.
// The payload stays beside it, whole, so that fields nobody here knows survive every edit.

/** A tab of a task (`pages` in the payload). */
export type TabView = {
  /** Null if another client stored the tab without one. Edits name such a tab by its place. */
  readonly id: string | null;
  /** The tab's index in its task's `pages`. */
  readonly at: number;
  /** As it was stored. Make it a link only if `isWebAddress` says so. */
  readonly url: string;
  /** The URL where the tab has no title, or one that shows nothing. */
  readonly title: string;
  readonly addedAt: string | null;
  /** The id of one of the task's groups. */
  readonly group: string | null;
  readonly pinned: boolean;
  readonly madeBy: MadeBy;
};

export type NoteView = {
  readonly id: string | null;
  /** The note's index in its task's `notes`. */
  readonly at: number;
  readonly text: string;
  readonly addedAt: string | null;
  readonly editedAt: string | null;
  readonly madeBy: MadeBy;
};

/** Who made a task, tab or note. */
export type MadeBy = {
  readonly author: "agent" | "person";
  /** The name of the agent's API key, where it is known. */
  readonly key: string | null;
};

/** One of the browser's tab groups, as the extension saved it. */
export type GroupView = {
  readonly id: string;
  readonly title: string;
  readonly colour: string | null;
  readonly collapsed: boolean;
};

/** What every view has. */
export type RecordView = {
  readonly id: string;
  readonly payload: Payload;
  /** ISO text. When a person or an agent last changed the record. */
  readonly updatedAt: string;
  /** ISO text; null for a live record. */
  readonly deletedAt: string | null;
  /** Whether the record has a change that the server has not confirmed yet. */
  readonly waits: boolean;
  /** Why the server refused the record's last change; null if it did not. */
  readonly refused: string | null;
};

export type TaskView = RecordView & {
  readonly title: string;
  readonly status: string;
  readonly colour: string | null;
  readonly folderId: string | null;
  readonly bucketId: string | null;
  /** `YYYY-MM-DD`. */
  readonly due: string | null;
  readonly tags: readonly string[];
  readonly position: string | null;
  readonly tabs: readonly TabView[];
  readonly notes: readonly NoteView[];
  readonly groups: readonly GroupView[];
  readonly madeBy: MadeBy;
};

export type FolderView = RecordView & {
  readonly name: string;
  readonly colour: string | null;
  readonly position: string | null;
};

export type BucketView = RecordView & {
  readonly name: string;
  readonly kind: string | null;
  readonly position: string | null;
};

/** What a view is made of: a record as the store gives it. */
export type Viewed = {
  readonly id: string;
  readonly payload: Payload;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly createdBy: "agent" | "person";
  readonly createdByKey: string | null;
  readonly waits: boolean;
  readonly refused: string | null;
};

export const taskView = (record: Viewed): TaskView => {
  const { payload } = record;
  return {
    ...common(record),
    title: textField(payload, "title") ?? "",
    status: textField(payload, "status") ?? DEFAULT_STATUS,
    colour: textField(payload, "colour"),
    folderId: textField(payload, "project_id"),
    bucketId: textField(payload, "bucket_id"),
    due: textField(payload, "due"),
    tags: eachOnce(listField(payload, "tags").filter((tag) => typeof tag === "string")),
    position: textField(payload, "position"),
    tabs: listField(payload, "pages").flatMap(tabView),
    notes: listField(payload, "notes").flatMap(noteView),
    groups: groupsIn(payload).flatMap(groupView),
    madeBy: { author: record.createdBy, key: record.createdByKey },
  };
};

export const folderView = (record: Viewed): FolderView => ({
  ...common(record),
  name: textField(record.payload, "name") ?? "",
  colour: textField(record.payload, "colour"),
  position: textField(record.payload, "position"),
});

export const bucketView = (record: Viewed): BucketView => ({
  ...common(record),
  name: textField(record.payload, "name") ?? "",
  kind: textField(record.payload, "kind"),
  position: textField(record.payload, "position"),
});

const common = ({ id, payload, updatedAt, deletedAt, waits, refused }: Viewed): RecordView => ({
  id,
  payload,
  updatedAt,
  deletedAt,
  waits,
  refused,
});

const tabView = (item: unknown, at: number): readonly TabView[] => {
  const tab = typeof item === "string" ? { url: item } : item;
  if (!isObject(tab)) return [];
  const url = textField(tab, "url") ?? "";
  return [
    {
      id: textField(tab, "id"),
      at,
      url,
      title: tabTitle(tab),
      addedAt: textField(tab, "added_at") ?? textField(tab, "created_at"),
      group: textField(tab, "group"),
      pinned: tab["pinned"] === true,
      madeBy: madeBy(tab),
    },
  ];
};

const noteView = (item: unknown, at: number): readonly NoteView[] => {
  const note = typeof item === "string" ? { text: item } : item;
  if (!isObject(note)) return [];
  return [
    {
      id: textField(note, "id"),
      at,
      text: textField(note, "text") ?? "",
      addedAt: textField(note, "added_at") ?? textField(note, "created_at"),
      editedAt: textField(note, "edited_at"),
      madeBy: madeBy(note),
    },
  ];
};

const groupView = (item: unknown): readonly GroupView[] => {
  const id = isObject(item) ? textField(item, "id") : null;
  if (!isObject(item) || id === null) return [];
  return [
    {
      id,
      title: textField(item, "title") ?? "",
      colour: textField(item, "colour"),
      collapsed: item["collapsed"] === true,
    },
  ];
};

const madeBy = (item: Payload): MadeBy => ({
  author: item["created_by"] === "agent" ? "agent" : "person",
  key: textField(item, "created_by_key"),
});

/** The name that people know the inbox by. Its title is what agents and other clients find it by, and stays. */
export const INBOX_NAME = "Inbox";

/** Whether a task is an inbox: it receives what is filed without a task. */
export const isInbox = ({ title }: Pick<TaskView, "title">): boolean => title === INBOX_TITLE;

/** Returns what people call a task. */
export const taskName = (task: Pick<TaskView, "title">): string =>
  isInbox(task) ? INBOX_NAME : shownName(task.title);

/** Whether an address may be a link. Anything but http and https could run code. */
export const isWebAddress = (url: string): boolean =>
  /^https?:\/\//i.test(url) && URL.parse(url) !== null;
