import { CHILD_LISTS, childId, type FiledChild } from "../tasks/child.ts";
import { isObject, listField, type Payload } from "../base/payload.ts";

/** An item with the id that the server gave it, wherever the extension dropped or changed that. */
type Marked = { readonly [MARK]: string; readonly is: unknown };
const MARK = Symbol("id");

const marked = (item: unknown): item is Marked => isObject(item) && MARK in item;

/** The item itself. */
export const bare = (item: unknown): unknown => (marked(item) ? item.is : item);

/** The id that the server knows an item by. */
export const idOf = (item: unknown): string | null => (marked(item) ? item[MARK] : childId(item));

/** A payload in whose lists what was filed is marked with the id that it was given. */
export const mark = (payload: Payload, filed: readonly FiledChild[]): Payload => {
  const lists = CHILD_LISTS.flatMap((list) => {
    const ids = new Map(filed.filter((child) => child.list === list).map(({ at, id }) => [at, id]));
    if (ids.size === 0 || !Array.isArray(payload[list])) return [];
    const items = listField(payload, list).map((item, at) => {
      const id = ids.get(at);
      return id === undefined ? item : { [MARK]: id, is: item };
    });
    return [[list, items]];
  });
  return { ...payload, ...(Object.fromEntries(lists) as Payload) };
};

/** The payload without marks. */
export const unmark = (payload: Payload): Payload => {
  const lists = CHILD_LISTS.filter((list) => Array.isArray(payload[list]));
  const items = lists.map((list) => [list, listField(payload, list).map(bare)]);
  return { ...payload, ...(Object.fromEntries(items) as Payload) };
};

/** What was filed of what is left in a marked payload, and where it stands there. */
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
