import { listField, type Payload } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import { type ChildList, type FiledChild, recogniseChildren, suspendChildren } from "./child.ts";
import { counterparts } from "./counterpart.ts";
import type { ChildFinder } from "./moved.ts";

/** A stored record, with what was filed in it over REST. */
export type StoredState = RecordState & { readonly filed: readonly FiledChild[] };

/** The items of a list now, and those that wait for it because a device has left it out. */
export const itemsWithWaiting = (
  { payload, filed }: StoredState,
  list: ChildList,
): readonly unknown[] => {
  const there = listField(payload, list);
  const waiting = filed.flatMap((child) =>
    child.list === list && child.at === null && child.item != null ? [child.item] : [],
  );
  const known = counterparts(list, there, waiting);
  return [...there, ...waiting.filter((_, at) => known[at] === null)];
};

/** The items of a list that were filed, those that wait for it too. */
export const filedItems = ({ payload, filed }: StoredState, list: ChildList): readonly unknown[] =>
  suspendChildren(filed, list, listField(payload, list)).map(({ item }) => item);

/** A push, the content of the record after it, and whether nothing of REST was merged into it. */
type After = {
  readonly pushed: RecordState;
  readonly merged: Payload;
  readonly isPlain: boolean;
};

/** Returns the tabs and notes of a list that were filed over REST, and where they are after a push. */
export const filedAfter = (
  { payload, filed }: StoredState,
  { pushed, merged, isPlain }: After,
  list: ChildList,
  findMovedChildren: ChildFinder,
): readonly FiledChild[] => {
  const before = listField(payload, list);
  const sent = pushed.payload[list] ?? null;
  // The extension stores the list in another form, so nothing can be added to it.
  if (sent !== null && !Array.isArray(sent)) return suspendChildren(filed, list, before);
  const after = listField(merged, list);
  // The commonest case: nothing is filed in this record over REST. For a push of 500, it takes 0.14 ms instead of 0.77.
  if (isPlain && filed.length === 0) return findMovedChildren(list, before, after);
  const there = recogniseChildren(filed, list, before, after).filter(({ at }) => at !== null);
  const used = new Set(there.map(({ at }) => at));
  const moved = findMovedChildren(list, before, after).filter(({ at }) => !used.has(at));
  const ids = new Set([...there, ...moved].map(({ id }) => id));
  // A missing list, or that of a deleted task, may be incomplete: what is not in it may come back.
  const waits = sent === null || pushed.deletedAt !== null;
  const away = waits ? suspendChildren(filed, list, before) : [];
  return [...there, ...moved, ...away.filter(({ id }) => !ids.has(id))];
};
