import { isObject, type Payload } from "../domain/base/payload.ts";
import { groupId, groupOfTab, groupsIn } from "../domain/tasks/groups.ts";
import { type ChildName, changedChild, childrenIn, placesOf, withFields } from "./children.ts";
import type { Desk, Edit } from "./edit.ts";
import { NotPossible } from "./state.ts";

// The browser's tab groups: a task lists them in `groups`, and each of its tabs may name one. A tab that moves to
// another task takes its group's name and colour along.

export type GroupFields = {
  readonly title?: string;
  readonly colour?: string | null;
  readonly collapsed?: boolean | null;
};

/** Returns the groups of a task with a change of one of them. */
export const changedGroup = (
  groups: readonly unknown[],
  id: string,
  change: (group: Payload) => Payload,
): readonly unknown[] =>
  groups.map((item) => (isObject(item) && groupId(item) === id ? change(item) : item));

/** Names or colours a group of a task. */
export const setGroup = (taskId: string, id: string, fields: GroupFields): Edit =>
  changeTask(taskId, (payload) => ({
    ...payload,
    groups: changedGroup(groupsIn(payload), id, (group) => withFields(group, fields)),
  }));

/** Gives a task a group, or a group that it has these fields. */
export const putGroup = (
  taskId: string,
  { id, ...fields }: GroupFields & { readonly id: string },
): Edit =>
  changeTask(taskId, (payload) => {
    const groups = groupsIn(payload);
    const isThere = groups.some((item) => groupId(item) === id);
    const next = isThere
      ? changedGroup(groups, id, (group) => withFields(group, fields))
      : [...groups, { id, ...withFields({}, fields) }];
    return { ...payload, groups: next };
  });

/** Puts tabs of a task into a new group, side by side where the first of them is. */
export const groupTabs = (
  taskId: string,
  names: readonly ChildName[],
  { id, ...fields }: GroupFields & { readonly id: string },
): Edit =>
  changeTask(taskId, (payload) => {
    const items = childrenIn(payload, "pages");
    const places = placesOf(items, "pages", names).toSorted((a, b) => a - b);
    const grouped = places.map((place) => changedChild(items[place], "pages", { group: id }));
    const rest = items.filter((_item, at) => !places.includes(at));
    return {
      ...payload,
      pages: rest.toSpliced(places[0] ?? 0, 0, ...grouped),
      groups: [...groupsIn(payload), { id, ...withFields({}, fields) }],
    };
  });

/** Takes a group apart. Its tabs stay where they are. */
export const ungroup = (taskId: string, id: string): Edit =>
  changeTask(taskId, (payload) => ({
    ...payload,
    pages: childrenIn(payload, "pages").map((item) =>
      groupOfTab(item) === id ? changedChild(item, "pages", { group: null }) : item,
    ),
    groups: groupsIn(payload).filter((item) => groupId(item) !== id),
  }));

const changeTask =
  (taskId: string, decide: (payload: Payload) => Payload): Edit =>
  async (desk: Desk) => {
    const payload = await desk.read("sync_tasks", taskId);
    if (payload === null)
      throw new NotPossible("This task is no longer there. It may have been deleted.");
    await desk.write("sync_tasks", taskId, decide(payload));
  };
