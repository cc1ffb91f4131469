import { type Payload, textField } from "../domain/base/payload.ts";
import type { Table } from "../domain/base/record.ts";
import { childId, childValue, tabTitle } from "../domain/tasks/child.ts";
import { type ChildName, changedChild, childrenIn, placesOf } from "./children.ts";
import { groupsIn } from "../domain/tasks/groups.ts";
import type { Desk, Edit } from "./edit.ts";
import { gone, noteItem } from "./edits.ts";
import { changedGroup } from "./groups.ts";
import { mergeText } from "./merge-text.ts";

// Edits of what people type over minutes, while other windows and devices change the same records. What was typed is
// never lost: a text that others changed meanwhile has both changes (see `mergeText`), and what they deleted comes back.

/** What somebody typed over a text that said `was`. */
export type Typed = {
  readonly was: string;
  readonly now: string;
  /** Called with what others wrote, if they changed the same words of a title and `now` replaces theirs. */
  readonly onLost?: (theirs: string) => void;
};

export const typeTitle = (taskId: string, typed: Typed): Edit =>
  typeOver("sync_tasks", taskId, "title", typed);

export const typeFolderName = (id: string, typed: Typed): Edit =>
  typeOver("sync_projects", id, "name", typed);

export const typeBucketName = (id: string, typed: Typed): Edit =>
  typeOver("sync_buckets", id, "name", typed);

/** Changes the title of a tab. One that ends up empty becomes the tab's URL. Refuses if the tab is not there. */
export const typeTabTitle = (taskId: string, tab: ChildName, typed: Typed): Edit =>
  change("sync_tasks", taskId, (payload) => {
    const pages = childrenIn(payload, "pages");
    const [at = 0] = placesOf(pages, "pages", [tab]);
    const held = pages[at];
    const title = titleOver(typed, tabTitle(held)).trim() || (childValue("pages", held) ?? "");
    return { ...payload, pages: pages.with(at, changedChild(held, "pages", { title })) };
  });

/** Changes the name of a group of a task. One that is not there any more stays away. */
export const typeGroupName = (taskId: string, group: string, typed: Typed): Edit =>
  change("sync_tasks", taskId, (payload) => ({
    ...payload,
    groups: changedGroup(groupsIn(payload), group, (held) => ({
      ...held,
      title: titleOver(typed, textField(held, "title") ?? ""),
    })),
  }));

/** Changes a note. One that is not there any more becomes a new one. */
export const typeNote = (taskId: string, note: ChildName, { was, now }: Typed): Edit =>
  change("sync_tasks", taskId, (payload, desk) => {
    const items = childrenIn(payload, "notes");
    // A note without an id is known by its place, so another one may be there by now.
    const at =
      typeof note === "string"
        ? items.findIndex((item) => childId(item) === note)
        : items.findIndex((item, index) => index === note && childValue("notes", item) === was);
    const held = items[at];
    if (held === undefined) return withNote(payload, desk, { text: now, ...idOf(note) });
    const { text } = mergeText(was, now, childValue("notes", held) ?? "", "note");
    const changed = changedChild(held, "notes", { text, edited_at: desk.now });
    return { ...payload, notes: items.with(at, changed) };
  });

export const typeNewNote = (taskId: string, text: string): Edit =>
  change("sync_tasks", taskId, (payload, desk) => withNote(payload, desk, { text }));

const typeOver = (table: Table, id: string, field: string, typed: Typed): Edit =>
  change(table, id, (payload) => ({
    ...payload,
    [field]: titleOver(typed, textField(payload, field) ?? ""),
  }));

/** Returns what was typed, made in the title that is there now. */
const titleOver = ({ was, now, onLost }: Typed, theirs: string): string => {
  const { text, lostTheirs } = mergeText(was, now, theirs, "title");
  if (lostTheirs) onLost?.(theirs);
  return text;
};

const idOf = (note: ChildName): { readonly id?: string } =>
  typeof note === "string" ? { id: note } : {};

const withNote = (payload: Payload, desk: Desk, note: Parameters<typeof noteItem>[1]): Payload => ({
  ...payload,
  notes: [...childrenIn(payload, "notes"), noteItem(desk, note)],
});

/** A record that was deleted meanwhile comes back. */
const change =
  (table: Table, id: string, decide: (payload: Payload, desk: Desk) => Payload): Edit =>
  async (desk) => {
    const found = await desk.find(table, id);
    if (found === null) throw gone(table);
    await desk.write(table, id, decide(found.payload, desk));
  };
