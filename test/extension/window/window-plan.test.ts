import { describe, expect, test } from "bun:test";
import type { TabView } from "../../../src/client/views.ts";
import type { Tab } from "../../../src/extension/browser/api.ts";
import type { Followed } from "../../../src/extension/window/bound.ts";
import { planStep } from "../../../src/extension/window/plan.ts";

const A = "https://example.org/a";
const B = "https://example.org/b";

const tab = (id: number, url: string, more: Partial<Tab> = {}): Tab => ({
  id,
  url,
  title: url,
  windowId: 1,
  index: 0,
  active: false,
  pinned: false,
  highlighted: false,
  incognito: false,
  status: "complete",
  ...more,
});

const entry = (id: string, url: string): TabView => ({
  id,
  at: 0,
  url,
  title: url,
  addedAt: null,
  group: null,
  pinned: false,
  madeBy: { author: "person", key: null },
});

const followed = (own: boolean, page: string | null, name = "a", tabId = 1): Followed => ({
  tabId,
  entry: name,
  own,
  page,
});

/** What a step does, in few words. */
const stepOf = (
  before: readonly Followed[],
  tabs: readonly Tab[],
  entries: readonly TabView[],
  known: readonly string[] = entries.map(({ url }) => url),
) => {
  const plan = planStep({ followed: before, known }, tabs, entries);
  return {
    add: plan.add.map(({ id }) => id),
    change: plan.change.map(({ entry: name, tab: { url } }) => `${name} ${url}`),
    open: plan.open.map(({ id }) => id),
    followed: plan.followed,
  };
};

const NOTHING = { add: [], change: [], open: [] };

describe("The window of a task", () => {
  test("adds a tab that is opened, once it has loaded", () => {
    expect(stepOf([], [tab(1, A, { status: "loading" })], [])).toMatchObject(NOTHING);
    expect(stepOf([], [tab(1, A)], [])).toMatchObject({ ...NOTHING, add: [1] });
  });

  test("adds no page of the browser, and nothing private", () => {
    const tabs = [
      tab(1, "about:blank"),
      tab(2, "chrome://newtab/"),
      tab(3, A, { incognito: true }),
    ];
    expect(stepOf([], tabs, [])).toMatchObject(NOTHING);
  });

  test("adds no page of the server, and follows a suspended tab as its page", () => {
    const plan = planStep({ followed: [], known: [] }, [tab(1, A)], [], "https://example.org");
    expect(plan).toEqual({ add: [], change: [], open: [], followed: [], known: [] });
    const page = followed(false, A);
    const suspended = tab(1, `chrome-extension://b0a6/suspended.html#ttl=A&uri=${A}`);
    expect(stepOf([page], [suspended], [entry("a", A)])).toEqual({ ...NOTHING, followed: [page] });
  });

  test("adds nothing that the task has", () => {
    expect(stepOf([], [tab(1, `${A}?utm_source=x`)], [entry("a", A)])).toEqual({
      ...NOTHING,
      followed: [followed(false, A)],
    });
  });

  test("adds a second mail or chat that differs in what follows the #", () => {
    const before = [followed(false, `${A}#inbox/1`)];
    const tabs = [tab(1, `${A}#inbox/1`), tab(2, `${A}#inbox/2`)];
    expect(stepOf(before, tabs, [entry("a", `${A}#inbox/1`)])).toMatchObject({
      ...NOTHING,
      add: [2],
    });
  });

  test("changes nothing when someone goes to another place on the same page", () => {
    for (const own of [true, false])
      expect(stepOf([followed(own, A)], [tab(1, `${A}#part`)], [entry("a", A)])).toEqual({
        ...NOTHING,
        followed: [followed(own, `${A}#part`)],
      });
  });

  test("takes a page that leads on to another for the one that was opened", () => {
    expect(stepOf([followed(false, null)], [tab(1, B)], [entry("a", A)])).toEqual({
      ...NOTHING,
      followed: [followed(false, B)],
    });
  });

  test("knows a tab again that has another number since it sleeps", () => {
    const asleep = tab(2, A, { discarded: true });
    expect(stepOf([followed(true, A)], [asleep], [entry("a", A)])).toEqual({
      ...NOTHING,
      followed: [followed(true, A, "a", 2)],
    });
    expect(stepOf([], [asleep], [entry("a", A)]).followed).toEqual([followed(false, null, "a", 2)]);
    expect(stepOf([], [asleep], [entry("b", B)])).toMatchObject({ add: [], followed: [] });
  });

  test("keeps what was saved before, when another page is opened in its tab", () => {
    expect(stepOf([followed(false, A)], [tab(1, B)], [entry("a", A)])).toMatchObject({
      ...NOTHING,
      add: [1],
    });
  });

  test("changes what it added itself, when another page is opened in its tab", () => {
    expect(stepOf([followed(true, A)], [tab(1, B)], [entry("a", A)])).toEqual({
      ...NOTHING,
      change: [`a ${B}`],
      followed: [followed(true, B)],
    });
  });

  test("but not if another tab still shows it, or it was removed from the task", () => {
    const two = [followed(true, A), followed(false, A, "a", 2)];
    expect(stepOf(two, [tab(1, B), tab(2, A)], [entry("a", A)])).toMatchObject({
      ...NOTHING,
      add: [1],
    });
    expect(stepOf([followed(true, A)], [tab(1, B)], [])).toMatchObject({ ...NOTHING, add: [1] });
  });

  test("removes nothing when a tab is closed, and does not open it again", () => {
    expect(stepOf([followed(true, A)], [tab(2, "about:blank")], [entry("a", A)])).toEqual({
      ...NOTHING,
      followed: [],
    });
  });

  test("closes nothing when a tab is removed from the task, and does not add it again", () => {
    expect(stepOf([followed(true, A)], [tab(1, A)], [])).toMatchObject(NOTHING);
  });

  test("opens what comes to the task from elsewhere, once, if it is a web page", () => {
    const entries = [entry("a", A), entry("b", B), entry("c", "file:///c")];
    expect(stepOf([], [tab(1, A)], entries, [A])).toMatchObject({ ...NOTHING, open: ["b"] });
    const asleep = tab(2, B, { discarded: true, status: "unloaded" });
    expect(stepOf([], [tab(1, A), asleep], entries, [A])).toMatchObject(NOTHING);
  });

  test("opens no second tab when another page is opened in the tab of another device", () => {
    const now = [entry("a", B)];
    for (const own of [true, false])
      expect(stepOf([followed(own, A)], [tab(1, A)], now, [A])).toEqual({
        ...NOTHING,
        followed: [followed(own, A)],
      });
    const loading = tab(1, A, { status: "loading" });
    expect(stepOf([followed(false, null)], [loading], now, [A])).toMatchObject(NOTHING);
    expect(stepOf([], [tab(2, "about:blank")], now, [A])).toMatchObject({
      ...NOTHING,
      open: ["a"],
    });
  });
});
