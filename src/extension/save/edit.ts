import { withFields } from "../../client/children.ts";
import type { Desk, Edit } from "../../client/edit.ts";
import { hasRoom } from "../../client/room.ts";
import { NotPossible } from "../../client/state.ts";
import { taskName } from "../../client/views.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import type { TabGroup } from "../browser/api.ts";
import { withoutTracking } from "../saved/address.ts";
import { type Candidate, type Gathered, titleOf } from "./tabs.ts";
import { cutText } from "../../domain/base/text.ts";

/** What a save put into the task, so that it can be taken back. */
export type Added = {
  readonly tabIds: readonly string[];
  readonly groupIds: readonly string[];
  /** How many tabs were in the task already, and are not there twice. */
  readonly known: number;
};

/**
 * Returns an edit that adds tabs to a task, with their groups, and what it added once it was made. Made again with the
 * same `key`, it changes nothing and says the same. It refuses with `NotPossible` if the task is gone, or the server
 * would not take it with these tabs.
 */
export const addCandidates = (
  taskId: string,
  candidates: readonly Candidate[],
  groups: readonly TabGroup[],
  key: string,
): { readonly edit: Edit; readonly added: () => Added } => {
  let added: Added = { tabIds: [], groupIds: [], known: 0 };
  const edit: Edit = async (desk) => {
    const task = await desk.read("sync_tasks", taskId);
    if (task === null)
      throw new NotPossible("This task is no longer there. It may have been deleted.");
    const result = afterSave(task, { candidates, groups }, { key, now: desk.now });
    added = result.added;
    const isThere = added.tabIds.some((id) => hasId(task, id));
    if (added.tabIds.length === 0 || isThere) return;
    if (!hasRoom(result.task)) throw new NotPossible(fullSentence(task));
    await desk.write("sync_tasks", taskId, result.task);
  };
  return { edit, added: () => added };
};

/** Returns a task as a save leaves it, also if that was made already. */
export const afterSave = (
  task: Payload,
  { candidates, groups }: Pick<Gathered, "candidates" | "groups">,
  { key, now }: { readonly key: string; readonly now: string },
): ReturnType<typeof withCandidates> =>
  withCandidates(withoutKey(task, key), candidates, groups, { now, newId: numbered(key) });

const fullSentence = (task: Payload): string =>
  `“${taskName({ title: textField(task, "title") ?? "" })}” has no room for this: a task can hold up to 1 MiB. Save fewer tabs at once, or choose another task. Nothing was saved or closed.`;

/** Ids of what a save adds: the same each time that it is tried. */
const numbered = (key: string): (() => string) => {
  let at = 0;
  return () => `${key}.${(at += 1)}`;
};

/** Returns a task as it was before a save with this key, if that was made already. */
const withoutKey = (task: Payload, key: string): Payload => {
  const all = listField(task, "pages");
  const pages = all.filter((page) => !(idIn(page) ?? "").startsWith(`${key}.`));
  if (pages.length === all.length) return task;
  const used = new Set(pages.filter(isObject).map((page) => textField(page, "group")));
  const groups = listField(task, "groups").filter((group) => used.has(idIn(group)));
  return { ...task, pages, ...(Array.isArray(task["groups"]) ? { groups } : {}) };
};

const hasId = (task: Payload, id: string): boolean =>
  listField(task, "pages").some((page) => idIn(page) === id);

const idIn = (item: unknown): string | null => (isObject(item) ? textField(item, "id") : null);

/** Returns the task with the tabs that it does not have yet. */
export const withCandidates = (
  task: Payload,
  candidates: readonly Candidate[],
  groups: readonly TabGroup[],
  desk: Pick<Desk, "newId" | "now">,
): { readonly task: Payload; readonly added: Added } => {
  const [pages, known] = [listField(task, "pages"), listField(task, "groups")];
  const fresh = withoutKnown(pages, candidates);
  const used = new Set(fresh.map(({ group }) => group));
  const named = groups
    .filter(({ id }) => used.has(id))
    .map((group) => ({
      group,
      item: sameGroup(known, group) ?? newGroup(group, groupId(known, group) ?? desk.newId()),
    }));
  const idOf = (group: number | null): unknown =>
    named.find((one) => one.group.id === group)?.item["id"];
  const made = named.map(({ item }) => item).filter((item) => !known.includes(item));
  const tabs = fresh.map(({ url, title, pinned, group }) => ({
    id: desk.newId(),
    url,
    ...withFields({}, { title: titleOf(title), group: idOf(group) }),
    ...(pinned ? { pinned } : {}),
    added_at: desk.now,
  }));
  return {
    task: {
      ...task,
      pages: [...pages, ...tabs],
      ...(made.length > 0 ? { groups: [...known, ...made] } : {}),
    },
    added: {
      tabIds: tabs.map(({ id }) => id),
      groupIds: made.map(({ id }) => String(id)),
      known: candidates.length - fresh.length,
    },
  };
};

/** A page that is open twice is saved once. Those that are left out may be closed, so their own addresses are there. */
const withoutKnown = (
  pages: readonly unknown[],
  candidates: readonly Candidate[],
): readonly Candidate[] => {
  const seen = new Set(pages.map(addressIn).map(withoutTracking));
  return candidates.filter(({ url }) => {
    const address = withoutTracking(url);
    if (seen.has(address)) return false;
    seen.add(address);
    return true;
  });
};

const addressIn = (page: unknown): string =>
  typeof page === "string" ? page : isObject(page) ? (textField(page, "url") ?? "") : "";

/** A group of the same name and colour, which was saved before. A group without a name is never the same. */
const sameGroup = (known: readonly unknown[], { title, color }: TabGroup): Payload | undefined =>
  known
    .filter(isObject)
    .find((item) => !!title && item["title"] === title && item["colour"] === color);

/**
 * Returns an id that any browser gives a group of this name and colour: two browsers that save such a group into one
 * task then make one of it. Null for a group without a name, or if a group that was renamed since has that id.
 */
const groupId = (known: readonly unknown[], { title, color }: TabGroup): string | null => {
  const id = cutText(`${color} ${title}`, 200).toWellFormed();
  return !title || known.some((item) => isObject(item) && item["id"] === id) ? null : id;
};

const newGroup = ({ title = "", color }: TabGroup, id: string): Payload => ({
  id,
  title,
  colour: color,
});
