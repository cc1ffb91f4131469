import { isObject, listField, type Payload, textField } from "../base/payload.ts";
import { bytesIn, cutText } from "../base/text.ts";
import { addNotes, addTabs, type Content, type Filing, newTask } from "./content.ts";
import { groupsIn } from "./groups.ts";
import { MAX_TITLE } from "./task.ts";

/** A tab of another tool. */
export type TabToImport = {
  readonly url: string;
  readonly title: string;
  readonly pinned: boolean;
  /** The place of its group among those of the task; null if it is in none. */
  readonly group: number | null;
  /** An RFC 3339 time, or null. */
  readonly addedAt: string | null;
};

/** A task of another tool. */
export type TaskToImport = {
  readonly title: string;
  readonly status: string;
  readonly due: string | null;
  readonly colour: string | null;
  readonly tags: readonly string[];
  readonly groups: readonly { readonly title: string; readonly colour: string | null }[];
  readonly tabs: readonly TabToImport[];
  readonly notes: readonly string[];
};

/** What an imported task holds at most. What is more goes on in another one. */
export const MOST_TABS = 500;
const MOST_BYTES = 768 * 1024;

/** What a tab takes up beside its address and title, in bytes. */
export const PER_TAB = 260;

/**
 * Splits a task that holds more than one may: `TITLE (2)`, `TITLE (3)` and so on hold what is over, under the same tags. The
 * notes stay in the first.
 */
export const partsOf = (task: TaskToImport): readonly TaskToImport[] => {
  const chunks: TabToImport[][] = [[]];
  let size = task.notes.reduce((sum, note) => sum + bytesIn(note), 0);
  for (const tab of task.tabs) {
    const own = bytesIn(tab.url) + bytesIn(tab.title) + PER_TAB;
    const last = chunks.at(-1) ?? [];
    if (last.length > 0 && (last.length >= MOST_TABS || size + own > MOST_BYTES)) {
      chunks.push([tab]);
      size = own;
    } else {
      last.push(tab);
      size += own;
    }
  }
  return chunks.map((tabs, at) =>
    at === 0
      ? { ...task, tabs }
      : { ...task, title: numberedTitle(task.title, at + 1), tabs, notes: [] },
  );
};

/** A title with the number of its part. */
export const numberedTitle = (title: string, number: number): string =>
  `${cutText(title, MAX_TITLE - 8)} (${number})`;

/** Returns the content of a new task. */
export const importedTask = (
  { title, status, due, colour, tags, groups, tabs, notes }: TaskToImport,
  place: { readonly project_id: string; readonly position: string },
  filing: Filing,
): Content => {
  const fields = { title, status, due, colour, tags: [...tags], tabs: [], notes: [] };
  const empty = newTask(fields, place, filing);
  return addNotes(addImportedTabs(empty, tabs, groups, filing), notes, filing);
};

/** Appends tabs. Their groups are those of the task that have the same names, or new ones. */
export const addImportedTabs = (
  content: Content,
  tabs: readonly TabToImport[],
  groups: TaskToImport["groups"],
  filing: Filing,
): Content => {
  const before = listField(content.payload, "pages").length;
  const { payload, filed } = addTabs(content, tabs, filing);
  const known = groupsIn(payload);
  const used = [...new Set(tabs.flatMap(({ group }) => group ?? []))];
  const there = new Map(
    used.map((place) => {
      const group = groups[place] ?? { title: "", colour: null };
      const same = known.find((one) => isObject(one) && textField(one, "title") === group.title);
      return [place, isObject(same) ? same : newGroup(group, filing)] as const;
    }),
  );
  const added = [...there.values()].filter((group) => !known.includes(group));
  const pages = listField(payload, "pages").map((page, at) => {
    const tab = tabs[at - before];
    if (!tab || !isObject(page)) return page;
    const group = tab.group === null ? undefined : there.get(tab.group)?.["id"];
    return {
      ...page,
      ...(group === undefined ? {} : { group }),
      ...(tab.pinned ? { pinned: true } : {}),
      ...(tab.addedAt === null ? {} : { added_at: tab.addedAt }),
    };
  });
  const list = added.length === 0 ? {} : { groups: [...known, ...added] };
  return { payload: { ...payload, pages, ...list }, filed };
};

const newGroup = (
  { title, colour }: TaskToImport["groups"][number],
  { now, newId }: Filing,
): Payload => ({ id: newId(now), title, ...(colour === null ? {} : { colour }) });

/** Returns the content of a task without these tabs, as it was before they were added. */
export const withoutTabs = ({ payload, filed }: Content, ids: ReadonlySet<string>): Content => {
  const pages = listField(payload, "pages");
  const isGone = (page: unknown): boolean => isObject(page) && ids.has(textField(page, "id") ?? "");
  return {
    payload: { ...payload, pages: pages.filter((page) => !isGone(page)) },
    filed: filed.filter(({ id }) => !ids.has(id)),
  };
};
