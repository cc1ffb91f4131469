import { isObject, type Payload } from "../../domain/base/payload.ts";
import { childId } from "../../domain/tasks/child.ts";
import { CHILD_LISTS } from "../../domain/tasks/task-fields.ts";
import { nameOf } from "../../domain/sync/three-way.ts";
import type { Made } from "./row.ts";

type Times = NonNullable<Made["putAt"]>;

/**
 * Returns the times with those of the items that a change puts into lists. What is moved into a task may be there still, if
 * this browser has not heard yet that another one moved it away: then it is there twice.
 */
export const withPut = (times: Times, before: Payload, after: Payload, at: string): Times => {
  const put = Object.entries(after).flatMap(([field, items]) => {
    const was = before[field];
    if (!Array.isArray(items) || !Array.isArray(was) || items === was) return [];
    const counts = countsOf(was);
    const more = [...countsOf(items)].filter(([name, count]) => count > (counts.get(name) ?? 0));
    if (more.length === 0) return [];
    return [[field, { ...times[field], ...Object.fromEntries(more.map(([name]) => [name, at])) }]];
  });
  return { ...times, ...(Object.fromEntries(put) as Times) };
};

const countsOf = (items: readonly unknown[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of items.map(nameOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** Of tabs and notes with one id, the last one stays. */
export const withoutDoubles = (payload: Payload): Payload => {
  const lists = CHILD_LISTS.flatMap((list) => {
    const items = payload[list];
    if (!Array.isArray(items)) return [];
    const ids = items.map((item) => (isObject(item) ? childId(item) : null));
    const last = new Map(ids.map((id, at) => [id, at]));
    const single = items.filter((_, at) => ids[at] === null || last.get(ids[at] ?? "") === at);
    return single.length === items.length ? [] : [[list, single] as const];
  });
  return lists.length === 0 ? payload : { ...payload, ...Object.fromEntries(lists) };
};
