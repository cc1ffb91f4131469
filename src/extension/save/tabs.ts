import type { NewTab } from "../../client/edits.ts";
import { MAX_TITLE } from "../../domain/tasks/task.ts";
import { browser, type Tab, type TabGroup } from "../browser/api.ts";
import type { Saved } from "./request.ts";
import { connection } from "../connect/connection.ts";
import { isOwnPage, savableTitle, savableUrl, whyNotSaved } from "./savable.ts";
import { cutText } from "../../domain/base/text.ts";

/** A tab as it is about to be saved. `group` is the browser's own number of its group. */
export type Candidate = Required<Pick<NewTab, "url">> & {
  readonly title: string | null;
  readonly pinned: boolean;
  readonly group: number | null;
  /** The open tab. Null for a link. */
  readonly open: Tab | null;
};

export type Gathered = {
  readonly candidates: readonly Candidate[];
  readonly groups: readonly TabGroup[];
  /** Sentences about those that cannot be saved. */
  readonly refused: readonly string[];
  /** How many pages of the server itself are left out. */
  readonly ownPages: number;
};

/** Reads what is to be saved, as it is now. A tab that was closed meanwhile is left out. */
export const gather = async (saved: Saved): Promise<Gathered> => {
  if (saved.kind === "link") return gatherLink(saved.url, saved.title);
  const tabs = await Promise.all(
    saved.tabIds.map((id) => browser.tabs.get(id).catch(() => undefined)),
  );
  const all = tabs.filter((tab) => tab !== undefined);
  const server = saved.isWindow ? ((await connection.read())?.server ?? null) : null;
  const there = all.filter((tab) => !isOwnPage(urlOf(tab), server));
  return {
    candidates: there.flatMap(candidateOf),
    groups: await groupsOf(there),
    ownPages: all.length - there.length,
    refused: there.flatMap((tab) =>
      savableUrl(urlOf(tab)) === null ? [whyNotSaved(tab.title ?? "", urlOf(tab))] : [],
    ),
  };
};

const gatherLink = (url: string, title: string | null): Gathered => {
  const target = savableUrl(url);
  const link = { title, pinned: false, group: null, open: null };
  return {
    candidates: target === null ? [] : [{ ...link, url: target }],
    groups: [],
    ownPages: 0,
    refused: target === null ? [whyNotSaved(title ?? "", url)] : [],
  };
};

/** Where a tab is. One that only begins to load is where it is about to be. */
export const urlOf = ({ url, pendingUrl }: Pick<Tab, "pendingUrl" | "url">): string =>
  url || pendingUrl || "";

/** A page's title as the title of a tab: one that is too long ends with an ellipsis. Null if there is none. */
export const titleOf = (title: string | null | undefined): string | null => {
  const whole = title?.toWellFormed() ?? "";
  const isLong = whole.length > MAX_TITLE;
  return (isLong ? `${cutText(whole, MAX_TITLE - 1)}…` : whole) || null;
};

const candidateOf = (tab: Tab): readonly Candidate[] => {
  const url = savableUrl(urlOf(tab));
  if (url === null) return [];
  const { pinned, groupId = -1 } = tab;
  const title = savableTitle(tab.title, urlOf(tab));
  return [{ url, title, pinned, group: groupId < 0 ? null : groupId, open: tab }];
};

/** Returns the groups that tabs are in. */
export const groupsOf = async (tabs: readonly Tab[]): Promise<readonly TabGroup[]> => {
  const ids = new Set(tabs.map(({ groupId = -1 }) => groupId).filter((id) => id >= 0));
  const { tabGroups } = browser;
  if (!tabGroups) return [];
  const groups = await Promise.all([...ids].map((id) => tabGroups.get(id).catch(() => undefined)));
  return groups.filter((group) => group !== undefined);
};
