import type { GroupView, TaskView } from "../../client/views.ts";
import type { Tab, TabGroup } from "../browser/api.ts";
import { groupColour } from "../reopen/group.ts";
import type { Bound, BoundGroup, Followed } from "./bound.ts";

/** What brings the tab groups of a window and the groups of its task in step. */
export type GroupPlan = {
  /** Groups of the task that are new, or have another name or colour by now. */
  readonly set: readonly GroupView[];
  /** Tabs of the task that are in another group by now, or in none. */
  readonly assign: readonly { readonly entry: string; readonly group: string | null }[];
  /** Groups of the window that got another name or colour in the task. */
  readonly label: readonly BoundGroup[];
  /** Open tabs whose tabs in the task were put into another group, or into none. */
  readonly move: readonly { readonly tabId: number; readonly group: GroupView | null }[];
  readonly followed: readonly Followed[];
  readonly groups: readonly BoundGroup[];
};

type Strip = { readonly tabs: readonly Tab[]; readonly groups: readonly TabGroup[] };

/**
 * Returns what to do about the groups of a window. What changed on one side since the last step is done on the other;
 * if both changed, the window counts.
 */
export const planGroups = (
  bound: Pick<Bound, "followed" | "groups">,
  strip: Strip,
  task: Pick<TaskView, "tabs" | "groups">,
  newId: () => string,
): GroupPlan => {
  const pairs = pairUp(bound, strip, task, newId);
  const steps = bound.followed.map((one, at) =>
    isFirst(bound.followed, at) ? tabStep(one, strip, pairs, task) : { followed: one },
  );
  const assign = steps.flatMap((step) => step.assign ?? []);
  const looks = pairs.map((pair) => lookStep(pair, task));
  const missing = looks
    .map(({ agreed }) => agreed)
    .filter(({ id }) => !task.groups.some((one) => one.id === id))
    .filter(({ id }) => assign.some(({ group }) => group === id));
  return {
    set: [...missing.map(viewOf), ...looks.flatMap(({ set }) => set)],
    assign,
    label: looks.flatMap(({ label }) => label),
    move: steps.flatMap((step) => step.move ?? []),
    followed: steps.map(({ followed }) => followed),
    groups: looks.map(({ agreed }) => agreed),
  };
};

/** A group of the window with the group of the task that it is. */
type Pair = {
  readonly id: string;
  readonly shown: TabGroup;
  /** How it looked after the last step. Undefined if this is the first one. */
  readonly before: BoundGroup | undefined;
};

const pairUp = (
  { followed, groups }: Pick<Bound, "followed" | "groups">,
  strip: Strip,
  task: Pick<TaskView, "tabs" | "groups">,
  newId: () => string,
): readonly Pair[] => {
  const pairs = strip.groups.flatMap((shown): readonly Pair[] => {
    const before = groups.find(({ groupId }) => groupId === shown.id);
    return before ? [{ id: before.id, shown, before }] : [];
  });
  // Groups that look the same are told apart by their tabs.
  for (const find of [withTabsOf, withLookOf, newId])
    for (const shown of strip.groups) {
      const inside = followed.filter(({ tabId }) =>
        strip.tabs.some(({ id, groupId }) => id === tabId && groupId === shown.id),
      );
      if (inside.length === 0 || pairs.some((one) => one.shown.id === shown.id)) continue;
      const free = task.groups.filter((group) => pairs.every(({ id }) => id !== group.id));
      const id = find(free, shown, inside, task.tabs);
      if (id !== undefined) pairs.push({ id, shown, before: undefined });
    }
  return pairs;
};

type FindGroup = (
  free: readonly GroupView[],
  shown: TabGroup,
  inside: readonly Followed[],
  tabs: TaskView["tabs"],
) => string | undefined;

/** Returns the group of the task that has tabs in this group of the window. */
const withTabsOf: FindGroup = (free, _shown, inside, tabs) => {
  const own = inside.flatMap(({ entry }) => tabs.find(({ id }) => id === entry)?.group ?? []);
  return free.find(({ id }) => own.includes(id))?.id;
};

const withLookOf: FindGroup = (free, { title = "", color }) =>
  free.find((one) => one.title === title && one.colour === color)?.id;

/** A page that is open twice: the first of its open tabs says where it belongs. */
const isFirst = (followed: readonly Followed[], at: number): boolean =>
  followed.findIndex(({ entry }) => entry === followed[at]?.entry) === at;

type TabStep = {
  readonly followed: Followed;
  readonly assign?: GroupPlan["assign"][number];
  readonly move?: GroupPlan["move"][number];
};

const tabStep = (
  followed: Followed,
  strip: Strip,
  pairs: readonly Pair[],
  { tabs, groups }: Pick<TaskView, "tabs" | "groups">,
): TabStep => {
  const { tabId, entry } = followed;
  const tab = strip.tabs.find(({ id }) => id === tabId);
  const item = tabs.find(({ id }) => id === entry);
  // A browser takes a pinned tab out of its place to put it into a group.
  if (!tab || !item || tab.pinned) return { followed };
  const here = pairs.find(({ shown }) => shown.id === tab.groupId)?.id ?? null;
  const group = groups.find(({ id }) => id === item.group) ?? null;
  const there = group?.id ?? null;
  const before = followed.group === undefined ? atFirst(here, there) : followed.group;
  if (here !== before)
    return {
      followed: { ...followed, group: here },
      ...(here === there ? {} : { assign: { entry, group: here } }),
    };
  if (there !== before) return { followed: { ...followed, group: there }, move: { tabId, group } };
  return { followed: { ...followed, group: here } };
};

/** A tab that is seen for the first time gets a group on the side where it has none. In two groups, the task counts. */
const atFirst = (here: string | null, there: string | null): string | null =>
  there === null ? there : here;

type LookStep = {
  readonly set: readonly GroupView[];
  readonly label: readonly BoundGroup[];
  readonly agreed: BoundGroup;
};

const lookStep = ({ id, shown, before }: Pair, { groups }: Pick<TaskView, "groups">): LookStep => {
  const { title = "", color, collapsed = false } = shown;
  const now: BoundGroup = { groupId: shown.id, id, title, colour: color, collapsed };
  const kept = groups.find((one) => one.id === id);
  if (!kept) return { set: [], label: [], agreed: now };
  // A colour that browsers do not have is left as it is, on both sides.
  const asked = { ...now, ...kept, colour: groupColour(kept.colour) ?? now.colour };
  const sideOf = (field: "collapsed" | "colour" | "title"): BoundGroup =>
    before && before[field] !== now[field] ? now : asked;
  const agreed: BoundGroup = {
    ...now,
    title: sideOf("title").title,
    colour: sideOf("colour").colour,
    collapsed: sideOf("collapsed").collapsed,
  };
  return {
    set: looksSame(agreed, asked) ? [] : [viewOf(agreed)],
    label: looksSame(agreed, now) ? [] : [agreed],
    agreed,
  };
};

const looksSame = (a: BoundGroup, b: BoundGroup): boolean =>
  a.title === b.title && a.colour === b.colour && a.collapsed === b.collapsed;

const viewOf = ({ id, title, colour, collapsed }: BoundGroup): GroupView => ({
  id,
  title,
  colour,
  collapsed,
});
