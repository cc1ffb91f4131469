import { listField, type Payload } from "../base/payload.ts";
import { invalid } from "../base/refusal.ts";
import { shortenedTo } from "../base/text.ts";
import { childId, childValue, type FiledChild } from "./child.ts";
import type { Content } from "./content.ts";
import { withGroupsOf } from "./groups.ts";

/** Both tasks after a move. */
type Moved = { readonly from: Content; readonly to: Content };

/** The tabs that are meant. `byUrl`: those without an id may be named by their url. */
type Naming = { readonly names: readonly string[]; readonly byUrl: boolean };

/**
 * Moves tabs to the end of another task, in the order in which they are named: each by its id or, if it has none, by its
 * url. They keep their ids, authors and times, and the groups they are in come along. Refuses if one is not there, or is
 * named twice, and if a client stores one of the lists in a form of its own (422).
 */
export const moveTabs = (
  from: Content,
  to: Content,
  naming: Naming,
  newId: () => string,
): Moved => {
  const there = tabsIn(from.payload);
  const places = placesOf(there, naming);
  const { task, tabs } = withGroupsOf(
    to.payload,
    from.payload,
    places.map((place) => there[place]),
    newId,
  );
  const before = tabsIn(to.payload);
  return {
    from: withoutTabs(from, places),
    to: {
      payload: { ...task, pages: [...before, ...tabs] },
      filed: [...to.filed, ...from.filed.flatMap((child) => moved(child, places, before.length))],
    },
  };
};

/** A task without the tabs at these places. */
export const withoutTabs = ({ payload, filed }: Content, places: readonly number[]): Content => ({
  payload: {
    ...payload,
    pages: listField(payload, "pages").filter((_tab, at) => !places.includes(at)),
  },
  filed: filed.flatMap((child) => stayed(child, places)),
});

const tabsIn = (payload: Payload): readonly unknown[] => {
  if (!Array.isArray(payload["pages"] ?? []))
    throw invalid(
      "Docket cannot move tabs from or to one of these tasks, because the extension stores its tabs in a format of its own. Move them in the extension.",
    );
  return listField(payload, "pages");
};

/** Where the named tabs are. */
const placesOf = (tabs: readonly unknown[], { names, byUrl }: Naming): readonly number[] => {
  const nameOf = (tab: unknown): string | null =>
    childId(tab) ?? (byUrl ? childValue("pages", tab) : null);
  const places = names.map((name) => tabs.findIndex((tab) => nameOf(tab) === name));
  const missing = names[places.indexOf(-1)];
  if (missing !== undefined)
    throw invalid(
      `There is no tab ${JSON.stringify(shortenedTo(missing, 80))} in the task that tabs are moved from. Read that task for the ids of its tabs. Nothing was moved.`,
    );
  if (new Set(places).size < places.length)
    throw invalid("A tab is named twice. Nothing was moved.");
  return places;
};

/** What was filed of those that stay, with the places that they have then. */
const stayed = (child: FiledChild, places: readonly number[]): readonly FiledChild[] => {
  const { list, at } = child;
  if (list !== "pages" || at === null) return [child];
  if (places.includes(at)) return [];
  return [{ ...child, at: at - places.filter((place) => place < at).length }];
};

/** What was filed of those that move. `first` is the place of the first one. */
const moved = (
  child: FiledChild,
  places: readonly number[],
  first: number,
): readonly FiledChild[] => {
  const { list, at } = child;
  const order = list === "pages" && at !== null ? places.indexOf(at) : -1;
  return order === -1 ? [] : [{ ...child, at: first + order }];
};
