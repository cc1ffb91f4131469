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
