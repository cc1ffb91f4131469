import type { Entry, LinkGroup } from "../../import/model.ts";
import { browser, type Tab } from "../browser/api.ts";
import { connection } from "../connect/connection.ts";
import { isOwnPage } from "../save/savable.ts";
import { urlOf } from "../save/tabs.ts";

/** The tool's name for the tabs that are open. */
export const OPEN_TABS = "Open tabs";

/** The tabs of all windows, each window as what becomes a task, with its groups. Pages of the server itself are left out. */
export const entriesOfWindows = async (): Promise<readonly Entry[]> => {
  const server = (await connection.read())?.server ?? null;
  const all = await browser.tabs.query({});
  const tabs = all.filter((tab) => !isOwnPage(urlOf(tab), server));
  const groups = await groupsOf(tabs);
  return [...Map.groupBy(tabs, ({ windowId }) => windowId).values()].map((window) => ({
    folder: null,
    title: "",
    links: window
      .toSorted((a, b) => a.index - b.index)
      .map((tab) => ({
        address: urlOf(tab),
        title: tab.title,
        pinned: tab.pinned,
        group: groups.get(tab.groupId ?? -1) ?? null,
      })),
  }));
};

const groupsOf = async (tabs: readonly Tab[]): Promise<ReadonlyMap<number, LinkGroup>> => {
  const ids = [...new Set(tabs.map(({ groupId = -1 }) => groupId))].filter((id) => id >= 0);
  const found = await Promise.all(
    ids.map((id) => browser.tabGroups?.get(id).catch(() => undefined)),
  );
  return new Map(
    found.flatMap((group) =>
      group
        ? [[group.id, { id: `${group.id}`, title: group.title ?? "", colour: group.color }]]
        : [],
    ),
  );
};
