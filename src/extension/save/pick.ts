import { browser, type Tab } from "../browser/api.ts";
import { connection } from "../connect/connection.ts";
import type { Saved } from "./request.ts";
import { isOwnPage, savableTitle, savableUrl } from "./savable.ts";
import { urlOf } from "./tabs.ts";
import { shortenedTo } from "../../domain/base/text.ts";

const tabsIn = (tabs: readonly Tab[]): Extract<Saved, { kind: "tabs" }> => ({
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

/** All tabs of the window of a tab, and a title for what is saved of them. */
export const pickWindow = async (
  tab: Tab | undefined,
): Promise<{ readonly saved: Saved; readonly title: string }> => {
  const tabs = await browser.tabs.query(
    tab ? { windowId: tab.windowId } : { lastFocusedWindow: true },
  );
  const server = (await connection.read())?.server ?? null;
  const others = tabs.filter((one) => !isOwnPage(urlOf(one), server));
  return { saved: { ...tabsIn(tabs), isWindow: true }, title: titleFor(others) };
};

type Named = Pick<Tab, "active" | "pendingUrl" | "title" | "url">;

/** Names a new task after the tabs that it begins with: the one in front if it can be saved, or the first that can. */
export const titleFor = (tabs: readonly Named[]): string => {
  const savable = tabs.filter((tab) => savableUrl(urlOf(tab)) !== null);
  const first = savable.find(({ active }) => active) ?? savable[0];
  const address = urlOf(first ?? {});
  const title = savableTitle(first?.title, address) ?? savableUrl(address);
  const name = shortenedTo(title ?? "New task", 120);
  return tabs.length > 1 ? `${name} and ${tabs.length - 1} more` : name;
};
