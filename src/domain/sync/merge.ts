import { isObject, listField, type Payload, sameJson } from "../base/payload.ts";
import { type ChildList, childId, childValue } from "../tasks/child.ts";
import { CHILD_LISTS, isChildList } from "../tasks/task-fields.ts";
import {
  type ChildFinder,
  counterparts,
  filedAfter,
  filedItems,
  itemsWithWaiting,
  type StoredState,
} from "../tasks/filed.ts";
import type { Change } from "./change.ts";
import { isLeft, itemsOf, type Past } from "./past.ts";
import { threeWay } from "./three-way.ts";

/** The record after a push; `differs` if it is not what was pushed. */
export type Merged = StoredState & { readonly differs: boolean };

/** What a push is merged with. */
export type Merging = {
  /** What the device held, and what was done over REST since; null if it has seen all of that. */
  readonly past: Past | null;
  /** Whether the push is older than what was written over REST since. */
  readonly isLate: boolean;
  readonly findMovedChildren: ChildFinder;
};

/**
 * Merges a push into the stored record, by one three-way merge: from what the device held, to that as REST has changed it
 * since, in what was pushed. What the device itself changed is its person's will. If nothing was done over REST, returns
 * the push itself, unchanged.
 */
export const mergePush = (stored: StoredState, change: Change, merging: Merging): Merged => {
  const { past, isLate, findMovedChildren: moved } = merging;
  const keepsDeletion = past !== null && keepsItsDeletion(stored, change, past, isLate);
  const deletedAt = keepsDeletion ? stored.deletedAt : change.deletedAt;
  // A device deletes once more what was restored over REST: it says nothing about the content.
  if (keepsDeletion && deletedAt === null) return { ...stored, differs: true };
  const payload = past === null ? change.payload : withRest(stored, change, past);
  const filed = CHILD_LISTS.flatMap((list) =>
    filedAfter(stored, { pushed: change, merged: payload, isPlain: past === null }, list, moved),
  );
  return { payload, deletedAt, filed, differs: keepsDeletion || payload !== change.payload };
};

/** Whether it was deleted or revived over REST, and the push is as the device held it before. */
const keepsItsDeletion = (
  { deletedAt }: StoredState,
  change: Change,
  { heldDeleted, deletion }: Past,
  isLate: boolean,
): boolean => {
  const isDeleted = change.deletedAt !== null;
  // Nothing is proved: but whoever deletes it later than it was revived has seen that.
  if (heldDeleted === null && isDeleted && !isLate) return false;
  return (
    deletion !== null &&
    isDeleted === (deletedAt === null) &&
    (heldDeleted ?? isDeleted) === isDeleted
  );
};

/** Returns what was pushed, with what REST has changed since. */
const withRest = (stored: StoredState, change: Change, past: Past): Payload => {
  const pushed = change.payload;
  const base: [string, unknown][] = [];
  const rest: [string, unknown][] = [];
  for (const field of past.fields.keys()) {
    if (isChildList(field)) continue;
    base.push([field, isLeft(past, field, pushed[field]) ? pushed[field] : past.held?.[field]]);
    rest.push([field, past.content[field]]);
  }
  for (const list of CHILD_LISTS) {
    const items = pushed[list] ?? null;
    // The extension stores the list in another form, or deletes the task: then it need not send its lists.
    if (items === null ? change.deletedAt !== null : !Array.isArray(items)) continue;
    const lists = listsOf(stored, past, list, listField(pushed, list));
    base.push([list, lists.base]);
    rest.push([list, lists.rest]);
  }
  const merged = threeWay(Object.fromEntries(base), Object.fromEntries(rest), pushed, RULES);
  return sameJson(merged, pushed) ? pushed : merged;
};

/** What the device changed stays, and so does what one side changed and the other took away. */
const RULES = { wins: () => false, keepsChanged: true };

type Items = readonly unknown[];
type Lists = { readonly base: Items; readonly rest: Items };

/** Returns a list as the device held it, and that as REST has changed it since. */
const listsOf = (stored: StoredState, past: Past, list: ChildList, pushed: Items): Lists => {
  const { held, seen, since, isUnited } = past;
  const items = itemsWithWaiting(stored, list);
  const { added, changed, removed, isShared } = doneOver(past, list);
  const [isChanged, isRemoved, isThere] = [among(changed), among(removed), among(items)];
  const known = held ? listField(held, list) : [];
  const isKnown = among(known);
  // Of what the device is not proved to have held, only what it still has as it was, under its id, was removed.
  const isGone = (item: unknown): boolean =>
    childId(item) !== null &&
    isRemoved(item) &&
    !isThere(item) &&
    !isKnown(item) &&
    past.wasLeftIn(list, item);
  const base = [...known, ...pushed.filter(isGone)];
  // A device may have emptied a deleted record.
  const isWhole = stored.deletedAt === null && Array.isArray(stored.payload[list]);
  const places = held ? counterparts(list, base, items) : items.map(() => null);
  const now = new Map(places.map((place, at) => [place, items[at]]));
  // What the device sent in a deletion alone has been in no version that was alive.
  const isAllKnown = base.every((item, at) => now.has(at) || isRemoved(item));
  // REST alone has changed it: then its order is REST's too.
  if (held && isWhole && !isShared && seen.length === 0 && isAllKnown)
    return asPushed(past, list, { base, rest: items }, pushed);
  const old = base.flatMap((item, at) => {
    if (!now.has(at)) return isRemoved(item) ? [] : [item];
    return [isChanged(now.get(at)) ? now.get(at) : item];
  });
  const isFiled = among([...filedItems(stored, list), ...added, ...(held ? [] : changed)]);
  const isSeen = among(itemsOf(seen, list));
  // What the device had taken away with success, somebody has put there again.
  const isAgain = (item: unknown): boolean =>
    since.some((payload) => !among(listField(payload, list))(item));
  const isNew = (item: unknown): boolean =>
    isUnited || (isFiled(item) && (!isSeen(item) || isAgain(item)));
  const fresh = items.filter((item, at) => places[at] === null && isNew(item));
  return asPushed(past, list, { base, rest: [...old, ...fresh] }, pushed);
};

/** What was done to the items of a list over REST, and whether a device has changed the list too. */
type Done = {
  readonly added: Items;
  readonly changed: Items;
  readonly removed: Items;
  readonly isShared: boolean;
};

const doneOver = ({ changes }: Past, list: ChildList): Done => {
  const [added, changed, removed]: [unknown[], unknown[], unknown[]] = [[], [], []];
  let isShared = false;
  // Of what was removed more than once, the last time counts.
  const gone = new Set<string>();
  for (const { before, after, isRest } of changes) {
    const [was, is] = changedPart(listField(before, list), listField(after, list));
    if (sameJson(was, is)) continue;
    const places = counterparts(list, was, is);
    const left = new Set(places);
    const lost = was.filter((item, at) => !left.has(at) && !gone.has(keyOf(item)));
    for (const item of lost) gone.add(keyOf(item));
    isShared ||= !isRest;
    if (!isRest) continue;
    removed.push(...lost);
    is.forEach((item, at) => {
      const place = places[at] ?? null;
      if (place === null) added.push(item);
      else if (!sameJson(item, was[place])) changed.push(item);
    });
  }
  return { added, changed, removed, isShared };
};

/** Leaves out the items that two versions share, at the beginning and at the end. Most changes are of a few items. */
const changedPart = (was: Items, is: Items): readonly [Items, Items] => {
  const shorter = Math.min(was.length, is.length);
  let [head, tail] = [0, 0];
  while (head < shorter && was[head] === is[head]) head += 1;
  while (tail < shorter - head && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1;
  return [was.slice(head, was.length - tail), is.slice(head, is.length - tail)];
};

/** Returns a test for these items: by their ids, or of items without one by URL or text. */
const among = (items: Items): ((item: unknown) => boolean) => {
  const names = new Set(items.map(keyOf));
  return (item) => names.has(keyOf(item));
};

const keyOf = (item: unknown): string =>
  childId(item) ?? ` ${childValue("pages", item) ?? childValue("notes", item)}`;

/**
 * Where REST has added, changed or removed an item that was pushed: if that counts as left alone, it is what the device
 * held; if the device is not known to have held another version of it, it is the device's own.
 */
const asPushed = (
  { wasLeftIn }: Past,
  list: ChildList,
  { base, rest }: Lists,
  pushed: Items,
): Lists => {
  const [inBase, inRest] = [counterparts(list, base, pushed), counterparts(list, rest, pushed)];
  const [held, changed] = [[...base], [...rest]];
  pushed.forEach((item, at) => {
    const [was, is] = [inBase[at] ?? -1, inRest[at] ?? -1];
    if (was < 0 && is < 0) return;
    if (sameJson(item, base[was]) || sameJson(item, rest[is]) || sameJson(base[was], rest[is]))
      return;
    const isLeftAlone = (is < 0 && isWithin(item, base[was])) || wasLeftIn(list, item);
    if (isLeftAlone) held[was < 0 ? held.length : was] = item;
    else if (was < 0) changed[is] = item;
  });
  return { base: held, rest: changed };
};

/** Whether an item says nothing else than another one. Devices may give it another id, or drop what they do not know. */
const isWithin = (item: unknown, other: unknown): boolean => {
  if (!isObject(item) || !isObject(other)) return typeof item === "string";
  return Object.entries(item).every(
    ([name, value]) => name === "id" || sameJson(value, other[name]),
  );
};
