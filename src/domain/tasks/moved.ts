import { childId, type ChildList, type FiledChild } from "./child.ts";
import { CHILD_LISTS } from "./child-lists.ts";
import { isObject, listField, type Payload } from "../base/payload.ts";
import { instantText } from "./children.ts";

/** A tab or note that was filed over REST, wherever a device may have moved it since. */
export type AgentChild = Pick<FiledChild, "createdAt" | "id" | "key" | "list" | "person">;

/** Finds children that a device moved here from another task. */
export type ChildFinder = (
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
) => readonly FiledChild[];

/** The form of ids made by the server (UUIDv7). A key's child has no other kind. */
const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The ids in a task's payload that may belong to children moved here. `before` returns the task's previous
 * payload.
 */
export const movedIds = (before: () => Payload, after: Payload): readonly string[] =>
  CHILD_LISTS.flatMap((list) => {
    const ids = listField(after, list)
      .map(childId)
      .filter((id) => id !== null && OWN_ID.test(id)) as string[];
    if (ids.length === 0) return ids;
    const known = new Set(listField(before(), list).map(childId));
    return ids.filter((id) => !known.has(id));
  });

/**
 * The tabs and notes in a payload of which the server has said that a person filed them over REST. It does not remember
 * these anywhere else than in their task, and a device may send the task that they left before the one to which it moved
 * them.
 */
export const personsChildren = (payload: Payload): readonly AgentChild[] =>
  CHILD_LISTS.flatMap((list) =>
    listField(payload, list).flatMap((item) => {
      if (!isObject(item) || item["created_by"] !== "person") return [];
      const [id, createdAt] = [childId(item), instantText(item)];
      if (id === null || createdAt === null || !OWN_ID.test(id)) return [];
      return [{ list, id, key: null, person: true as const, createdAt }];
    }),
  );

/** Finds moved children among those that were filed, by their ids. */
export const childFinder =
  (filed: ReadonlyMap<string, AgentChild>): ChildFinder =>
  (list, before, after) => {
    if (filed.size === 0) return [];
    const known = new Set(before.map(childId));
    return after.flatMap((item, at) => {
      const id = childId(item);
      if (id === null || known.has(id)) return [];
      // A second item with the same id is a person's copy.
      known.add(id);
      const child = filed.get(id);
      if (child?.list !== list) return [];
      const { key, person, createdAt } = child;
      return [{ list, id, key, ...(person ? { person } : {}), createdAt, at }];
    });
  };
