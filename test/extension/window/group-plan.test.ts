import { describe, expect, test } from "bun:test";
import type { GroupView, TabView } from "../../../src/client/views.ts";
import type { Tab, TabGroup } from "../../../src/extension/browser/api.ts";
import type { BoundGroup, Followed } from "../../../src/extension/window/bound.ts";
import { planGroups } from "../../../src/extension/window/group-plan.ts";

const tab = (id: number, groupId = -1, pinned = false): Tab => ({
  id,
  groupId,
  pinned,
  windowId: 1,
  index: 0,
  active: false,
  highlighted: false,
  incognito: false,
});

const entry = (id: string, group: string | null = null): TabView => ({
  id,
  at: 0,
  url: "https://example.org/",
  title: id,
  addedAt: null,
  group,
  pinned: false,
  madeBy: { author: "person", key: null },
});

const followed = (tabId: number, name: string, group?: string | null): Followed => ({
  tabId,
  entry: name,
  own: false,
  page: null,
  ...(group === undefined ? {} : { group }),
});

const inStrip = (id: number, title = "Fjords", color = "cyan"): TabGroup => ({ id, title, color });
const inTask = (id: string, title = "Fjords", colour: string | null = "cyan"): GroupView => ({
  id,
  title,
  colour,
  collapsed: false,
});
const before = (groupId: number, id: string, title = "Fjords", colour = "cyan"): BoundGroup => ({
  groupId,
  id,
  title,
  colour,
  collapsed: false,
});

type Case = {
  readonly followed: readonly Followed[];
  readonly before?: readonly BoundGroup[];
  readonly open: readonly Tab[];
  readonly strip?: readonly TabGroup[];
  readonly tabs: readonly TabView[];
  readonly groups?: readonly GroupView[];
};

const planOf = (one: Case) =>
  planGroups(
    { followed: one.followed, groups: one.before ?? [] },
    { tabs: one.open, groups: one.strip ?? [] },
    { tabs: one.tabs, groups: one.groups ?? [] },
    () => "new",
  );

const actsOf = (one: Case) => {
  const { set, assign, label, move } = planOf(one);
  return { set, assign, label, move };
};

const NOTHING = { set: [], assign: [], label: [], move: [] };

/** Two tabs of a task in one group, as the last step left them. */
const STEADY: Case = {
  followed: [followed(1, "a", "g"), followed(2, "b", "g")],
  before: [before(7, "g")],
  open: [tab(1, 7), tab(2, 7)],
  strip: [inStrip(7)],
  tabs: [entry("a", "g"), entry("b", "g")],
  groups: [inTask("g")],
};

describe("The groups in the window of a task", () => {
  test("stay as they are while nothing changes", () => {
    expect(actsOf(STEADY)).toEqual(NOTHING);
  });

  test("are known again after the window was opened", () => {
    const opened = { ...STEADY, followed: [followed(1, "a"), followed(2, "b")], before: [] };
    expect(planOf(opened)).toEqual({
      ...NOTHING,
      followed: STEADY.followed,
      groups: [before(7, "g")],
    });
  });

  test("have the name and colour that the person gives them", () => {
    const renamed = { ...STEADY, strip: [inStrip(7, "Coast", "red")] };
    expect(actsOf(renamed)).toEqual({ ...NOTHING, set: [inTask("g", "Coast", "red")] });
    expect(planOf(renamed).groups).toEqual([before(7, "g", "Coast", "red")]);
  });

  test("get the name and colour that came from elsewhere", () => {
    const renamed = { ...STEADY, groups: [inTask("g", "Coast", "red")] };
    expect(actsOf(renamed)).toEqual({ ...NOTHING, label: [before(7, "g", "Coast", "red")] });
  });

  test("keep the window's name if both were renamed", () => {
    const both = { ...STEADY, strip: [inStrip(7, "Coast")], groups: [inTask("g", "Sea")] };
    expect(actsOf(both)).toEqual({ ...NOTHING, set: [inTask("g", "Coast")] });
  });

  test("are collapsed, or not, on both sides, whatever their names do meanwhile", () => {
    const collapsed = { ...STEADY, strip: [{ ...inStrip(7), collapsed: true }] };
    const renamed = [inTask("g", "Coast", "red")];
    expect(actsOf({ ...collapsed, groups: renamed })).toEqual({
      ...NOTHING,
      set: [{ ...inTask("g", "Coast", "red"), collapsed: true }],
      label: [{ ...before(7, "g", "Coast", "red"), collapsed: true }],
    });
    const elsewhere = [{ ...inTask("g"), collapsed: true }];
    expect(actsOf({ ...STEADY, groups: elsewhere })).toEqual({
      ...NOTHING,
      label: [{ ...before(7, "g"), collapsed: true }],
    });
  });

  test("are told apart by their tabs if they look the same", () => {
    const twins: Case = {
      followed: [followed(1, "a"), followed(2, "b"), followed(3, "c", null)],
      open: [tab(1, 7), tab(2, 8), tab(3, 6)],
      strip: [inStrip(6), inStrip(7), inStrip(8)],
      tabs: [entry("a", "g"), entry("b", "h"), entry("c")],
      groups: [inTask("h"), inTask("g")],
    };
    expect(
      planOf(twins)
        .groups.map(({ groupId, id }) => `${groupId} ${id}`)
        .toSorted(),
    ).toEqual(["6 new", "7 g", "8 h"]);
  });

  test("leave a colour alone that browsers do not have", () => {
    expect(actsOf({ ...STEADY, groups: [inTask("g", "Fjords", "mauve")] })).toEqual(NOTHING);
    expect(actsOf({ ...STEADY, groups: [inTask("g", "Fjords", null)] })).toEqual(NOTHING);
  });

  test("are saved when the person makes one", () => {
    const made: Case = {
      followed: [followed(1, "a", null), followed(2, "b", null)],
      open: [tab(1, 7), tab(2)],
      strip: [inStrip(7, "", "grey")],
      tabs: [entry("a"), entry("b")],
    };
    expect(actsOf(made)).toEqual({
      ...NOTHING,
      set: [inTask("new", "", "grey")],
      assign: [{ entry: "a", group: "new" }],
    });
  });

  test("take in a tab that was just saved, and one that the person put there", () => {
    const joined = {
      ...STEADY,
      followed: [...STEADY.followed, followed(3, "c"), followed(4, "d", null)],
      open: [...STEADY.open, tab(3, 7), tab(4, 7)],
      tabs: [...STEADY.tabs, entry("c"), entry("d")],
    };
    expect(actsOf(joined)).toEqual({
      ...NOTHING,
      assign: [
        { entry: "c", group: "g" },
        { entry: "d", group: "g" },
      ],
    });
  });

  test("let a tab go in the task when it leaves the group", () => {
    const left = { ...STEADY, open: [tab(1, 7), tab(2)] };
    expect(actsOf(left)).toEqual({ ...NOTHING, assign: [{ entry: "b", group: null }] });
  });

  test("let a tab go in the window when it left the group elsewhere", () => {
    const left = { ...STEADY, tabs: [entry("a", "g"), entry("b")] };
    expect(actsOf(left)).toEqual({ ...NOTHING, move: [{ tabId: 2, group: null }] });
  });

  test("take in a tab that was put there elsewhere", () => {
    const joined = {
      ...STEADY,
      followed: [followed(1, "a", "g"), followed(2, "b", null), followed(3, "c")],
      open: [tab(1, 7), tab(2), tab(3)],
      tabs: [entry("a", "g"), entry("b", "g"), entry("c", "g")],
    };
    expect(actsOf(joined).move).toEqual([
      { tabId: 2, group: inTask("g") },
      { tabId: 3, group: inTask("g") },
    ]);
    expect(actsOf(joined).assign).toEqual([]);
  });

  test("are taken apart when the task's group is", () => {
    const apart = { ...STEADY, tabs: [entry("a"), entry("b")], groups: [] };
    expect(actsOf(apart)).toEqual({
      ...NOTHING,
      move: [
        { tabId: 1, group: null },
        { tabId: 2, group: null },
      ],
    });
  });

  test("come back in the task when a tab is put into one that is gone there", () => {
    const back: Case = {
      ...STEADY,
      followed: [followed(1, "a", null), followed(2, "b", "g")],
      tabs: [entry("a"), entry("b")],
      groups: [],
    };
    expect(actsOf(back)).toEqual({
      ...NOTHING,
      set: [inTask("g")],
      assign: [{ entry: "a", group: "g" }],
      move: [{ tabId: 2, group: null }],
    });
  });

  test("follow the task when a tab is in one group here and in another there, at first", () => {
    const other: Case = {
      followed: [followed(1, "a"), followed(2, "b")],
      open: [tab(1, 7), tab(2, 8)],
      strip: [inStrip(7), inStrip(8, "Sea")],
      tabs: [entry("a", "g"), entry("b", "g")],
      groups: [inTask("g"), inTask("h", "Sea")],
    };
    expect(actsOf(other)).toEqual({ ...NOTHING, move: [{ tabId: 2, group: inTask("g") }] });
  });

  test("leave pinned tabs where they are, and the second tab of a page", () => {
    const left: Case = {
      followed: [followed(1, "a", "g"), followed(2, "a"), followed(3, "b", null)],
      before: [before(7, "g")],
      open: [tab(1, 7), tab(2), tab(3, -1, true)],
      strip: [inStrip(7)],
      tabs: [entry("a", "g"), entry("b", "g")],
      groups: [inTask("g")],
    };
    expect(actsOf(left)).toEqual(NOTHING);
  });
});
