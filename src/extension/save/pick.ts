import { browser, type Tab } from "../browser/api.ts";
import type { Saved } from "./request.ts";
import { shortenedTo } from "../../domain/base/text.ts";

const tabsIn = (tabs: readonly Tab[]): Saved => ({
  kind: "tabs",
  tabIds: tabs.flatMap(({ id }) => id ?? []),
});

/** The tab that someone pointed at. If it is one of several selected ones, all of them. */
export const pickTabs = async (tab: Tab | undefined): Promise<Saved> => {
  const [active] = tab
    ? [tab]
    : await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (!active) return tabsIn([]);
  const { windowId } = active;
  const selected = await browser.tabs.query({ highlighted: true, windowId });
  return tabsIn(selected.some(({ id }) => id === active.id) ? selected : [active]);
};

/** All tabs of the window of a tab, and a title for them. */
export const pickWindow = async (
  tab: Tab | undefined,
): Promise<{ readonly saved: Saved; readonly title: string }> => {
  const tabs = await browser.tabs.query(
    tab ? { windowId: tab.windowId } : { lastFocusedWindow: true },
  );
  return { saved: tabsIn(tabs), title: titleFor(tabs) };
};

/** Names a new task after the tabs that it begins with. */
export const titleFor = (tabs: readonly Pick<Tab, "active" | "title" | "url">[]): string => {
  const first = tabs.find(({ active }) => active) ?? tabs[0];
  const name = shortenedTo((first?.title || first?.url || "New task").trim(), 120);
  return tabs.length > 1 ? `${name} and ${tabs.length - 1} more` : name;
};
