import { isObject, listField, type Payload, textField } from "../base/payload.ts";

// The browser's tab groups: a task lists them in `groups`, and each of its tabs (`pages`) may name one by its id.

/**
 * Returns the groups that a task lists, whatever they are. Each id is there once: tabs name a group by its id alone, so
 * of several groups with one id, which older extensions made, only the first is kept.
 */
export const groupsIn = (task: Payload): readonly unknown[] => {
  const seen = new Set<string>();
  return listField(task, "groups").filter((item) => {
    const id = groupId(item);
    if (id === null) return true;
    const isFirst = !seen.has(id);
    seen.add(id);
    return isFirst;
  });
};

/** The id of a group; null if it has none. */
export const groupId = (item: unknown): string | null =>
  isObject(item) ? textField(item, "id") : null;

/** The id of the group that a tab is in; null if it is in none. */
export const groupOfTab = (item: unknown): string | null =>
  isObject(item) ? textField(item, "group") : null;

/** A task, and tabs that are about to come to it from another one. */
type Brought = { readonly task: Payload; readonly tabs: readonly unknown[] };

/**
 * Gives a task the groups that some tabs of another one are in, where it does not have them yet. A group whose id the
 * task has for another one, with another name or colour, gets a new id, in these tabs too.
 */
export const withGroupsOf = (
  to: Payload,
  from: Payload,
  tabs: readonly unknown[],
  newId: () => string,
): Brought => {
  const named = new Set(tabs.map(groupOfTab).filter((id) => id !== null));
  const own = groupsIn(to);
  const brought = groupsIn(from)
    .filter((item) => named.has(groupId(item) ?? ""))
    .filter((item) => !own.some((one) => isSameGroup(one, item)))
    .filter(isObject)
    .map((group) => {
      const isTaken = own.some((one) => groupId(one) === groupId(group));
      return { was: groupId(group), group: isTaken ? { ...group, id: newId() } : group };
    });
  const groups = brought.map(({ group }) => group);
  return {
    task: groups.length === 0 ? to : { ...to, groups: [...own, ...groups] },
    tabs: tabs.map((tab) => {
      const now = groupId(brought.find(({ was }) => was === groupOfTab(tab))?.group);
      return now === null || now === groupOfTab(tab) || !isObject(tab)
        ? tab
        : { ...tab, group: now };
    }),
  };
};

const isSameGroup = (one: unknown, other: unknown): boolean =>
  isObject(one) &&
  isObject(other) &&
  groupId(one) === groupId(other) &&
  one["title"] === other["title"] &&
  one["colour"] === other["colour"];
