import type { Author } from "../people/caller.ts";
import type { FiledChild, ChildList } from "./child.ts";
import { sentFields, type TabDraft, type TaskDraft } from "./draft.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import { listField, type Payload } from "../base/payload.ts";
import { invalid } from "../base/refusal.ts";
import { deviceIn } from "./tags.ts";
import { MAX_TITLE } from "./task.ts";
import { fieldsWith, TASK_FIELDS } from "./task-fields.ts";
import { cutText } from "../base/text.ts";

/** A record's payload, and which of its tabs and notes were filed over REST. */
export type Content = {
  readonly payload: Payload;
  readonly filed: readonly FiledChild[];
};

/** A tab or note in the form in which payloads hold it. */
export type Item = Author & { readonly id: string; readonly created_at: string };

/** Who files something, and when; `newId` creates ids. */
export type Filing = {
  readonly author: Author;
  readonly now: Instant;
  readonly newId: (now: Instant) => string;
};

const INITIAL = Object.fromEntries(
  fieldsWith("initial").map((name) => [name, TASK_FIELDS[name].initial]),
);

/** Returns a new task's payload, with its tabs and notes. `containers` holds its folder and bucket. */
export const newTask = (draft: TaskDraft, containers: Payload, filing: Filing): Content => {
  const payload = { ...INITIAL, ...sentFields(draft), ...containers, pages: [], notes: [] };
  const empty = { payload, filed: [] };
  return addNotes(addTabs(empty, draft.tabs, filing), draft.notes, filing);
};

/** Appends tabs in the given order. */
export const addTabs = (content: Content, tabs: readonly TabDraft[], filing: Filing): Content =>
  append(
    content,
    "pages",
    // A tab without a title gets its URL as the title, or its beginning.
    tabs.map(({ url, title }) => ({
      ...newItem(filing),
      url,
      title: title ?? cutText(url, MAX_TITLE).toWellFormed(),
    })),
  );

export const addNotes = (content: Content, notes: readonly string[], filing: Filing): Content =>
  append(
    content,
    "notes",
    notes.map((text) => ({ ...newItem(filing), text })),
  );

/**
 * A tag `device:NAME` sends a task's tabs to that device, where one click opens them and takes them out. A key may do that
 * with its own tabs. Refuses tags with which it would do so with those that a person saved.
 */
export const checkDeviceTags = ({ payload, filed }: Content, tags: readonly string[]): void => {
  const had = listField(payload, "tags");
  if (!tags.some((tag) => isForDevice(tag) && !had.includes(tag))) return;
  const byKeys = filed.filter(({ list, at, person }) => list === "pages" && at !== null && !person);
  if (listField(payload, "pages").length > byKeys.length)
    throw invalid(
      'A key cannot add a tag that begins with "device:" to a task that holds tabs of a person. Leave this tag out, or file the tabs into a task of your own.',
    );
};

/** In compatibility forms and after blanks too: another client may be less strict than the extension. */
const isForDevice = (tag: string): boolean => deviceIn(tag.normalize("NFKC").trim()) !== null;

const newItem = ({ author, now, newId }: Filing): Item => ({
  id: newId(now),
  ...author,
  created_at: formatInstant(now),
});

/** Never overwrites a list that the extension stores in another form. */
const append = (content: Content, list: ChildList, items: readonly Item[]): Content => {
  const there = content.payload[list] ?? [];
  if (!Array.isArray(there))
    throw invalid(
      `Docket cannot add to this task's ${list}, because the extension stores them in a format of its own. Change the task in the extension.`,
    );
  const filed = items.map((item, index) => ({
    list,
    id: item.id,
    key: item.created_by_key,
    ...(item.created_by === "person" ? { person: true as const } : {}),
    createdAt: item.created_at,
    at: there.length + index,
  }));
  return {
    payload: { ...content.payload, [list]: [...there, ...items] },
    filed: [...content.filed, ...filed],
  };
};
