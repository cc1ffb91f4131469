import { isObject, listField, type Payload } from "../base/payload.ts";
import { childId, type FiledChild } from "../tasks/child.ts";
import { CHILD_LISTS } from "../tasks/task-fields.ts";

/** An item together with the id the server gave it, even where the extension dropped or changed that id. */
type Marked = { readonly [MARK]: string; readonly is: unknown };
const MARK = Symbol("id");

const marked = (item: unknown): item is Marked => isObject(item) && MARK in item;

/** Marks an item with an id. */
export const markAs = (id: string, item: unknown): unknown => ({ [MARK]: id, is: item });

/** Puts `now` in the place of an item, with the item's mark if it has one. */
export const keepMark = (item: unknown, now: unknown): unknown =>
  marked(item) ? { ...item, is: now } : now;

/** The item without its mark. */
export const bare = (item: unknown): unknown => (marked(item) ? item.is : item);

/** The id by which the server knows an item. */
export const idOf = (item: unknown): string | null => (marked(item) ? item[MARK] : childId(item));

/** Returns the payload with each filed tab and note marked with the id it was given. */
export const mark = (payload: Payload, filed: readonly FiledChild[]): Payload => {
  const lists = CHILD_LISTS.flatMap((list) => {
    const ids = new Map(filed.filter((child) => child.list === list).map(({ at, id }) => [at, id]));
    if (ids.size === 0 || !Array.isArray(payload[list])) return [];
    const items = listField(payload, list).map((item, at) => {
      const id = ids.get(at);
      return id === undefined ? item : markAs(id, item);
    });
    return [[list, items]];
  });
  return { ...payload, ...(Object.fromEntries(lists) as Payload) };
};

/** Returns the payload without marks. */
export const unmark = (payload: Payload): Payload => {
  const lists = CHILD_LISTS.filter((list) => Array.isArray(payload[list]));
  const items = lists.map((list) => [list, listField(payload, list).map(bare)]);
  return { ...payload, ...(Object.fromEntries(items) as Payload) };
};

/** Returns the filed children that are still in a marked payload, with their indexes there. */
export const stillFiled = (
  payload: Payload,
  filed: readonly FiledChild[],
): readonly FiledChild[] => {
  const places = CHILD_LISTS.flatMap((list) =>
    listField(payload, list).flatMap((item, at) =>
      marked(item) ? [[`${list} ${item[MARK]}`, at] as const] : [],
    ),
  );
  const now = new Map(places);
  return filed.flatMap((child) => {
    if (child.at === null) return [child];
    const at = now.get(`${child.list} ${child.id}`);
    return at === undefined ? [] : [{ ...child, at }];
  });
};
