import type { Author } from "../people/caller.ts";
import type { FiledChild, ChildList } from "./child.ts";
import { sentFields, type TabDraft, type TaskDraft } from "./draft.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import type { Payload } from "../base/payload.ts";
import { invalid } from "../base/refusal.ts";
import { MAX_TITLE } from "./task.ts";
import { fieldsWith, TASK_FIELDS } from "./task-fields.ts";

/** A record's payload, and which tabs and notes in it were filed over REST. */
export type Content = {
  readonly payload: Payload;
  readonly filed: readonly FiledChild[];
};

/** A tab or note as it is put into a payload. */
export type Item = Author & { readonly id: string; readonly created_at: string };

/** Who files what, and when; `newId` makes the ids. */
export type Filing = {
  readonly author: Author;
  readonly now: Instant;
  readonly newId: (now: Instant) => string;
};

const INITIAL = Object.fromEntries(
  fieldsWith("initial").map((name) => [name, TASK_FIELDS[name].initial]),
);

/** A new task's payload, with its tabs and notes. `places` are its folder and bucket. */
export const newTask = (draft: TaskDraft, places: Payload, filing: Filing): Content => {
  const payload = { ...INITIAL, ...sentFields(draft), ...places, pages: [], notes: [] };
  const empty = { payload, filed: [] };
  return addNotes(addTabs(empty, draft.tabs, filing), draft.notes, filing);
};

/** Puts tabs behind those that are there, in the order given. */
export const addTabs = (content: Content, tabs: readonly TabDraft[], filing: Filing): Content =>
  append(
    content,
    "pages",
    // The url stands in for a title, cut as a title is.
    tabs.map(({ url, title }) => ({
      ...newItem(filing),
      url,
      title: title ?? url.slice(0, MAX_TITLE).toWellFormed(),
    })),
  );

export const addNotes = (content: Content, notes: readonly string[], filing: Filing): Content =>
  append(
    content,
    "notes",
    notes.map((text) => ({ ...newItem(filing), text })),
  );

const newItem = ({ author, now, newId }: Filing): Item => ({
  id: newId(now),
  ...author,
  created_at: formatInstant(now),
});

/** Never writes over a list that the extension keeps in a form of its own. */
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
