import { type Author, PERSON } from "../people/account.ts";
import { isObject, listField, type Payload, textField } from "../base/payload.ts";
import { shownName } from "../base/text.ts";

/** The lists inside a task's payload whose items each have an author. */
export type ChildList = "notes" | "pages";

/**
 * A tab or note that was filed over REST. It is stored beside the payload, because the extension may drop
 * Docket's fields, and because a device that has not seen it yet may push the task without it.
 */
export type FiledChild = {
  readonly list: ChildList;
  readonly id: string;
  /** The name of the key that filed it; `person` is set if a person did. */
  readonly key: string | null;
  readonly person?: true;
  readonly createdAt: string;
  /** Its index in the task's list now; null while it is not there. */
  readonly at: number | null;
  /** The item itself, while the task's whole list is missing: it may come back later, even without an id. */
  readonly item?: unknown;
};

type Authorship = Author & { readonly created_at: string | null };

const BY_PERSON: Authorship = { ...PERSON, created_at: null };

/** Returns a function that says who made the item at an index of a list. */
export const authorship = (
  children: readonly FiledChild[],
  list: ChildList,
): ((at: number) => Authorship) => {
  if (children.length === 0) return () => BY_PERSON;
  const filed = new Map(
    children.flatMap((child) => (child.list === list ? [[child.at, child]] : [])),
  );
  return (at) => {
    const child = filed.get(at);
    if (!child) return BY_PERSON;
    const author: Author = child.person
      ? PERSON
      : { created_by: "agent", created_by_key: child.key };
    return { ...author, created_at: child.createdAt };
  };
};

/** Whether an item of a list is a tab or a note at all. */
export const isChild = (item: unknown): boolean => typeof item === "string" || isObject(item);

/** How many tabs or notes a task has. */
export const countChildren = (payload: Payload, list: ChildList): number => {
  let count = 0;
  for (const item of listField(payload, list)) if (isChild(item)) count += 1;
  return count;
};

/** What identifies an item without an id: the URL of a tab, the text of a note. */
export const childValue = (list: ChildList, item: unknown): string | null => {
  if (typeof item === "string") return item;
  return isObject(item) ? textField(item, list === "pages" ? "url" : "text") : null;
};

/** Returns what a tab is shown as: its title, or its URL where that shows nothing. */
export const tabTitle = (tab: unknown): string => {
  const url = childValue("pages", tab) ?? "";
  return shownName((isObject(tab) ? textField(tab, "title") : null) ?? url, url);
};

export const childId = (item: unknown): string | null =>
  isObject(item) ? textField(item, "id") : null;

/**
 * Finds the filed children in a list that a device pushed: by id, and where an item's id is absent or
 * unknown, by URL or text, one for one. If fewer equal items came back than there were, the remaining ones
 * count as the person's: a push never turns a person's child into an agent's.
 */
export const recogniseChildren = (
  children: readonly FiledChild[],
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly FiledChild[] => {
  const mine = children.filter((child) => child.list === list);
  if (mine.length === 0) return mine;
  const places = placesById(after);
  const placeOf = (child: FiledChild): number | undefined =>
    idsOf(child, before)
      .map((id) => places.get(id))
      .find((at) => at !== undefined);
  const byValue = placesByValue(mine, list, before, after);
  return mine.map((child) => {
    const at = placeOf(child) ?? byValue.get(child) ?? null;
    if (at === null) return { ...child, at };
    const { item: _away, ...there } = child;
    return { ...there, at };
  });
};

/**
 * The children of a list that is missing as a whole: the task was deleted, or pushed without the list. Nobody
 * removed them individually, so each is kept as it was.
 */
export const suspendChildren = (
  children: readonly FiledChild[],
  list: ChildList,
  before: readonly unknown[],
): readonly FiledChild[] =>
  children
    .filter((child) => child.list === list)
    .map((child) =>
      child.at === null ? child : { ...child, at: null, item: before[child.at] ?? null },
    );

const placesById = (items: readonly unknown[]): ReadonlyMap<string, number> => {
  const places = new Map<string, number>();
  items.forEach((item, at) => {
    const id = childId(item);
    if (id !== null && !places.has(id)) places.set(id, at);
  });
  return places;
};

/** The id Docket gave a child, and the one the extension may have given it since. */
const idsOf = (child: FiledChild, before: readonly unknown[]): readonly string[] => {
  const now = child.at === null ? null : childId(before[child.at]);
  return now === null ? [child.id] : [child.id, now];
};

/** For children whose id did not come back: the index of an equal item that no other child claims. */
const placesByValue = (
  mine: readonly FiledChild[],
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
): ReadonlyMap<FiledChild, number> => {
  const known = new Set([...before.map(childId), ...mine.map((child) => child.id)]);
  const free = Map.groupBy(
    after.flatMap((item, at) => {
      const id = childId(item);
      return id === null || !known.has(id) ? [{ at, value: childValue(list, item) }] : [];
    }),
    ({ value }) => value,
  );
  const found = new Map<FiledChild, number>();
  for (const [value, claims] of missingByValue(mine, list, before, after)) {
    const places = free.get(value) ?? [];
    const order = places.length < claims.length ? claims.toSorted(personsFirst) : claims;
    order.forEach((owner, index) => {
      const place = places[index];
      if (owner && place) found.set(owner, place.at);
    });
  }
  return found;
};

/** Who owned each item that did not come back under its id: a child of `mine`, or null for a person. */
const missingByValue = (
  mine: readonly FiledChild[],
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
): ReadonlyMap<string, (FiledChild | null)[]> => {
  const returned = placesById(after);
  const owners = new Map(mine.map((child) => [child.at, child]));
  const missing = new Map<string, (FiledChild | null)[]>();
  const claim = (value: string | null | undefined, owner: FiledChild | null): void => {
    if (value === null || value === undefined) return;
    const claims = missing.get(value);
    if (claims) claims.push(owner);
    else missing.set(value, [owner]);
  };
  before.forEach((item, at) => {
    const owner = owners.get(at) ?? null;
    const ids = owner ? idsOf(owner, before) : [childId(item)];
    if (!ids.some((id) => id !== null && returned.has(id))) claim(childValue(list, item), owner);
  });
  for (const child of mine)
    if (child.at === null && !returned.has(child.id)) claim(childValue(list, child.item), child);
  return missing;
};

const personsFirst = (a: FiledChild | null, b: FiledChild | null): number =>
  Number(isAgents(a)) - Number(isAgents(b));

const isAgents = (owner: FiledChild | null): boolean => owner !== null && !owner.person;
