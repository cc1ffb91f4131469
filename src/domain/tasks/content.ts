import type { Actor, Author, Caller } from "../people/account.ts";
import { childId, type ChildList, type FiledChild } from "./child.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import { listField, type Payload } from "../base/payload.ts";
import { invalid, notFound, Refusal } from "../base/refusal.ts";
import { deviceIn } from "./tags.ts";
import { MAX_TITLE, urlRefusal } from "./task.ts";
import { fieldsWith, type FieldsWith, type SentValue, TASK_FIELDS } from "./task-fields.ts";
import { cutText, isSeen } from "../base/text.ts";
import type { SentField } from "./task-field.ts";

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
 * Gives a note another text; it keeps its id, author and time. Refuses a note that is not there (404), and to a key one
 * that it did not get from an agent (403): what a person wrote is theirs.
 */
export const changeNote = (
  { payload, filed }: Content,
  { id, text }: NoteChange,
  editor: Pick<Actor, "kind">,
): Content => {
  const notes = listField(payload, "notes");
  const byAgents = filed.filter(
    ({ list, at, person }) => list === "notes" && at !== null && !person,
  );
  const at = notes.findIndex((note) => childId(note) === id);
  if (at === -1) throw notFound("note");
  if (editor.kind === "api_key" && !byAgents.some((child) => child.at === at))
    throw new Refusal(
      "forbidden",
      "A person wrote this note, so a key cannot change it. Add a note of your own. Nothing was changed.",
    );
  const changed = { ...(notes[at] as object), text };
  return { payload: { ...payload, notes: notes.with(at, changed) }, filed };
};

/** A note, by its id, and what it says from now on. */
export type NoteChange = { readonly id: string; readonly text: string };

/**
 * A tag `device:NAME` sends a task's tabs to that device, where one click opens them and takes them out. A key may do that
 * with its own tabs. Refuses tags with which it would do so with those that a person saved.
 */
export const checkDeviceTags = ({ payload, filed }: Content, tags: readonly string[]): void => {
  const had = listField(payload, "tags");
  if (!tags.some((tag) => isForDevice(tag) && !had.includes(tag))) return;
  if (holdsTabsOfPerson({ payload, filed }))
    throw invalid(
      'A key cannot add a tag that begins with "device:" to a task that holds tabs of a person. Leave this tag out, or file the tabs into a task of your own.',
    );
};

/** Refuses a task to which a key has moved a person's tabs if a tag of it sends them to a device. */
export const checkSendsNone = (content: Content): void => {
  const isSent = listField(content.payload, "tags").some(
    (tag) => typeof tag === "string" && isForDevice(tag),
  );
  if (isSent && holdsTabsOfPerson(content))
    throw invalid(
      'A key cannot move tabs of a person to a task with a tag that begins with "device:". Move them to another task.',
    );
};

const holdsTabsOfPerson = ({ payload, filed }: Content): boolean => {
  const byKeys = filed.filter(({ list, at, person }) => list === "pages" && at !== null && !person);
  return listField(payload, "pages").length > byKeys.length;
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

/** A tab to file. Without a title that can be seen, its URL is used. */
export type TabDraft = { readonly url: string; readonly title: string | null };

/** What may be set on a task. Absent: unchanged; null: none. */
export type TaskPatch = {
  readonly [Name in FieldsWith<"sent">]?: SentValue<Name>;
};

export type TaskDraft = TaskPatch & {
  readonly title: string;
  readonly tabs: readonly TabDraft[];
  readonly notes: readonly string[];
};

export type FolderDraft = { readonly name: string; readonly colour: string | null };

const SENT: readonly (SentField & { readonly name: FieldsWith<"sent"> })[] = fieldsWith("sent").map(
  (name) => ({ name, ...TASK_FIELDS[name].sent }),
);

/** Refuses values that the schemas cannot check. */
export const checkFields = (patch: TaskPatch): void => {
  for (const { name, check, must = "a text that can be seen" } of SENT) {
    const value = patch[name] ?? null;
    if (check && value !== null && !check(value)) throw invalid(`${name} must be ${must}.`);
  }
};

/**
 * Returns the sent fields in the form in which payloads hold them, without those that name other records:
 * these must be looked up first.
 */
export const sentFields = (patch: TaskPatch): Payload =>
  Object.fromEntries(
    SENT.flatMap(({ name, names, clean }) => {
      const value = patch[name];
      return value === undefined || names ? [] : [[name, clean ? clean(value) : value]];
    }),
  );

/** A tab as it was sent. */
type SentTab = { readonly url: string; readonly title?: string | null };

/**
 * Returns tabs ready to be filed, with urls trimmed. Refuses urls from an API key that are not web addresses (422). A
 * person's own device may keep anything that a browser opens.
 */
export const tabsOf = (sent: readonly SentTab[], caller: Caller): readonly TabDraft[] => {
  const tabs = sent.map(({ url, title }) => ({
    url: url.trim(),
    title: isSeen(title) ? title : null,
  }));
  if (caller.kind === "api_key") checkTabs(tabs);
  return tabs;
};

const checkTabs = (tabs: readonly TabDraft[]): void => {
  for (const [index, { url }] of tabs.entries()) {
    const problem = urlRefusal(url);
    if (problem !== null) throw invalid(`The url of tab ${index} ${problem}.`);
  }
};

/**
 * Only a person may delete or trash a task, through their own device's sync (specification, section 5.4). A
 * key is refused; the refusal tells a session to use sync. This applies to any value, null included.
 */
export const trashRefusal = (field: string, byKey: boolean): Refusal =>
  byKey
    ? new Refusal(
        "forbidden",
        `An API key can never delete anything, so it cannot send ${field}. Nothing was changed.`,
      )
    : invalid(
        `You cannot send ${field} here. To delete a record or move a task to the trash, use POST /sync. Nothing was changed.`,
      );
