import { CHILD_LISTS, childId, type FiledChild } from "../tasks/child.ts";
import { listField, type Payload } from "../base/payload.ts";
import type { ChildFinder } from "./merge.ts";

/** A tab or note that a key filed, wherever a device may have put it since. */
export type AgentChild = Pick<FiledChild, "createdAt" | "id" | "key" | "list">;

/** The shape of the ids that the server makes (UUIDv7): no other can be that of a key's child. */
const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The ids in a task's payload that may be those of children moved here; `before` tells what the task held. */
export const movedIds = (before: () => Payload, after: Payload): readonly string[] =>
  CHILD_LISTS.flatMap((list) => {
    const ids = listField(after, list)
      .map(childId)
      .filter((id) => id !== null && OWN_ID.test(id)) as string[];
    if (ids.length === 0) return ids;
    const known = new Set(listField(before(), list).map(childId));
    return ids.filter((id) => !known.has(id));
  });

/** Finds moved children among those that keys filed, by their ids. */
export const childFinder =
  (filed: ReadonlyMap<string, AgentChild>): ChildFinder =>
  (list, before, after) => {
    if (filed.size === 0) return [];
    const known = new Set(before.map(childId));
    return after.flatMap((item, at) => {
      const id = childId(item);
      if (id === null || known.has(id)) return [];
      // A second item of the same id is a person's copy.
      known.add(id);
      const child = filed.get(id);
      return child?.list === list
        ? [{ list, id, key: child.key, createdAt: child.createdAt, at }]
        : [];
    });
  };
