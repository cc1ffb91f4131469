import { isObject, type Payload, textField } from "../domain/base/payload.ts";
import { type ChildName, changedChild, childrenIn, placesOf, withFields } from "./children.ts";
import type { Desk, Edit } from "./edit.ts";
import { NotPossible } from "./state.ts";

// The browser's tab groups: a task lists them in `groups`, and each of its tabs may name one. A tab that moves to
// another task takes its group's name and colour along.

export type GroupFields = { readonly title?: string; readonly colour?: string | null };

/** Names or colours a group of a task. */
export const setGroup = (taskId: string, groupId: string, fields: GroupFields): Edit =>
  changeTask(taskId, (payload) => ({
    ...payload,
    groups: groupsIn(payload).map((item) =>
      isObject(item) && idOf(item) === groupId ? withFields(item, fields) : item,
    ),
  }));

/** Gives a task a group, or a group that it has this name and colour. */
export const putGroup = (
  taskId: string,
  { id, ...fields }: GroupFields & { readonly id: string },
): Edit =>
  changeTask(taskId, (payload) => {
    const groups = groupsIn(payload);
    const isThere = groups.some((item) => idOf(item) === id);
    const next = isThere
      ? groups.map((item) =>
          isObject(item) && idOf(item) === id ? withFields(item, fields) : item,
        )
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
export const ungroup = (taskId: string, groupId: string): Edit =>
  changeTask(taskId, (payload) => ({
    ...payload,
    pages: childrenIn(payload, "pages").map((item) =>
      groupOf(item) === groupId ? changedChild(item, "pages", { group: null }) : item,
    ),
    groups: groupsIn(payload).filter((item) => idOf(item) !== groupId),
  }));

/** Gives a task the groups that some tabs of another one are in, where it does not have them yet. */
export const withGroupsOf = (to: Payload, from: Payload, moved: readonly unknown[]): Payload => {
  const named = new Set(moved.map(groupOf).filter((id) => id !== null));
  const known = new Set(groupsIn(to).map(idOf));
  const added = groupsIn(from).filter((item) => {
    const id = idOf(item);
    return id !== null && named.has(id) && !known.has(id);
  });
  return added.length === 0 ? to : { ...to, groups: [...groupsIn(to), ...added] };
};

const groupsIn = (payload: Payload): readonly unknown[] => {
  const { groups } = payload;
  return Array.isArray(groups) ? groups : [];
};

const idOf = (item: unknown): string | null => (isObject(item) ? textField(item, "id") : null);

const groupOf = (item: unknown): string | null =>
  isObject(item) ? textField(item, "group") : null;

const changeTask =
  (taskId: string, decide: (payload: Payload) => Payload): Edit =>
  async (desk: Desk) => {
    const payload = await desk.read("sync_tasks", taskId);
    if (payload === null)
      throw new NotPossible("This task is no longer there. It may have been deleted.");
    await desk.write("sync_tasks", taskId, decide(payload));
  };
