import { withFields } from "../../client/children.ts";
import type { Desk, Edit } from "../../client/edit.ts";
import { hasRoom } from "../../client/rank.ts";
import { NotPossible } from "../../client/state.ts";
import { taskName } from "../../client/views.ts";
import { groupId, groupOfTab, groupsIn } from "../../domain/tasks/groups.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import type { TabGroup } from "../browser/api.ts";
import { isForDevice, SENT_FROM } from "../device/device.ts";
import { withoutTracking } from "../../domain/tasks/address.ts";
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
 * same `key`, it changes nothing and says the same. What is sent to a device by this says that it is from `sender`. It refuses with `NotPossible` if the task is gone, or the server
 * would not take it with these tabs.
 */
export const addCandidates = (
  taskId: string,
  candidates: readonly Candidate[],
  groups: readonly TabGroup[],
  key: string,
  sender: string | null = null,
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
    const isSent = sender !== null && isForDevice(task);
    await desk.write(
      "sync_tasks",
      taskId,
      isSent ? sentFrom(sender, result.task, added) : result.task,
    );
  };
  return { edit, added: () => added };
};

/** Returns the task of a device with the name of the one that sent the tabs. */
const sentFrom = (sender: string, task: Payload, { tabIds }: Added): Payload => ({
  ...task,
  pages: listField(task, "pages").map((page) =>
    isObject(page) && tabIds.includes(idIn(page) ?? "") ? { ...page, [SENT_FROM]: sender } : page,
  ),
});

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
  const used = new Set(pages.map(groupOfTab));
  const groups = groupsIn(task).filter((group) => used.has(groupId(group)));
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
  const [pages, known] = [listField(task, "pages"), groupsIn(task)];
  const fresh = withoutKnown(pages, candidates);
  const same = sameGroups(known, pages, groups, candidates);
  const made = new Map<number, Payload>();
  for (const group of groups) {
    if (same.has(group.id) || fresh.every((one) => one.group !== group.id)) continue;
    const id = sharedId([...known, ...made.values()], group) ?? desk.newId();
    made.set(group.id, newGroup(group, id));
  }
  const idOf = (group: number | null): unknown =>
    group === null ? undefined : (same.get(group) ?? made.get(group))?.["id"];
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
      ...(made.size > 0 ? { groups: [...known, ...made.values()] } : {}),
    },
    added: {
      tabIds: tabs.map(({ id }) => id),
      groupIds: [...made.values()].map(({ id }) => String(id)),
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

/**
 * Finds groups of the task that were saved from groups of the strip: they have the same name and colour. One that holds
 * the same tabs comes first. Each is one group only, so two that look the same stay two. A group without a name is the
 * same only if it holds the same tabs.
 */
const sameGroups = (
  known: readonly unknown[],
  pages: readonly unknown[],
  groups: readonly TabGroup[],
  candidates: readonly Candidate[],
): ReadonlyMap<number, Payload> => {
  const same = new Map<number, Payload>();
  const free = (group: TabGroup): readonly Payload[] =>
    known
      .filter(isObject)
      .filter((item) => ![...same.values()].includes(item) && looksLike(item, group));
  const hasTabsOf = (item: Payload, { id }: TabGroup): boolean => {
    const open = candidates.filter(({ group }) => group === id).map(({ url }) => url);
    const saved = pages.filter((page) => groupOfTab(page) === groupId(item)).map(addressIn);
    return saved.map(withoutTracking).some((url) => open.map(withoutTracking).includes(url));
  };
  for (const group of groups) {
    const one = free(group).find((item) => hasTabsOf(item, group));
    if (one) same.set(group.id, one);
  }
  for (const group of groups) {
    const one = same.has(group.id) || !group.title ? undefined : free(group)[0];
    if (one) same.set(group.id, one);
  }
  return same;
};

const looksLike = (item: Payload, { title = "", color }: TabGroup): boolean =>
  (textField(item, "title") ?? "") === title && item["colour"] === color;

/**
 * Returns an id that any browser gives a group of this name and colour: two browsers that save such a group into one
 * task then make one of it. Null for a group without a name, or if another group has that id.
 */
const sharedId = (known: readonly unknown[], { title, color }: TabGroup): string | null => {
  const id = cutText(`${color} ${title}`, 200).toWellFormed();
  return !title || known.some((item) => groupId(item) === id) ? null : id;
};

const newGroup = ({ title = "", color, collapsed }: TabGroup, id: string): Payload => ({
  id,
  title,
  colour: color,
  ...(collapsed ? { collapsed } : {}),
});
