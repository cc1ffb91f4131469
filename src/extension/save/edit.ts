import { withFields } from "../../client/children.ts";
import type { Desk, Edit } from "../../client/edit.ts";
import { NotPossible } from "../../client/state.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import type { TabGroup } from "../browser/api.ts";
import { comparable } from "../saved/address.ts";
import type { Candidate } from "./tabs.ts";

/** What a save put into the task, so that it can be taken back. */
export type Added = {
  readonly tabIds: readonly string[];
  readonly groupIds: readonly string[];
  /** How many tabs were in the task already, and are not there twice. */
  readonly known: number;
};

/** Returns an edit that adds tabs to a task, with their groups, and what it added once it was made. */
export const addCandidates = (
  taskId: string,
  candidates: readonly Candidate[],
  groups: readonly TabGroup[],
): { readonly edit: Edit; readonly added: () => Added } => {
  let added: Added = { tabIds: [], groupIds: [], known: 0 };
  const edit: Edit = async (desk) => {
    const task = await desk.read("sync_tasks", taskId);
    if (task === null)
      throw new NotPossible("This task is no longer there. It may have been deleted.");
    const result = withCandidates(task, candidates, groups, desk);
    added = result.added;
    if (added.tabIds.length > 0) await desk.write("sync_tasks", taskId, result.task);
  };
  return { edit, added: () => added };
};

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
    .map((group) => ({ group, item: sameGroup(known, group) ?? newGroup(group, desk.newId()) }));
  const idOf = (group: number | null): unknown =>
    named.find((one) => one.group.id === group)?.item["id"];
  const made = named.map(({ item }) => item).filter((item) => !known.includes(item));
  const tabs = fresh.map(({ url, title, pinned, group }) => ({
    id: desk.newId(),
    url,
    ...withFields({}, { title: title?.slice(0, 500).toWellFormed() || null, group: idOf(group) }),
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

/** A page that is open twice is saved once. */
const withoutKnown = (
  pages: readonly unknown[],
  candidates: readonly Candidate[],
): readonly Candidate[] => {
  const seen = new Set(pages.map(addressIn).map(comparable));
  return candidates.filter(({ url }) => {
    const address = comparable(url);
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

const newGroup = ({ title = "", color }: TabGroup, id: string): Payload => ({
  id,
  title,
  colour: color,
});
