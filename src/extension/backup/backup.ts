import { isObject, listField, textField } from "../../domain/base/payload.ts";
import { NotPossible } from "../../client/state.ts";
import { browser, type Tab } from "../browser/api.ts";
import { kept, keptForSession } from "../browser/kept.ts";
import { inTurn } from "../core/adopt.ts";
import {
  type Job,
  type KeptGroup,
  type KeptTab,
  readGroup,
  readTab,
  type ReopenReport,
} from "../reopen/job.ts";
import { runJob } from "../reopen/work.ts";
import { savableTitle, savableUrl } from "../save/savable.ts";
import { groupsOf, urlOf } from "../save/tabs.ts";

// Copies of all windows, in this browser alone: for the day on which it crashes, or a window is closed by mistake.

export type KeptWindow = {
  readonly tabs: readonly KeptTab[];
  readonly groups: readonly KeptGroup[];
};

/** All windows as they were at a moment. */
export type Backup = {
  /** In ms since 1970. */
  readonly at: number;
  /** From one start of the browser to its end. */
  readonly session: string;
  readonly windows: readonly KeptWindow[];
};

/** How many are kept; and how many of them may be of this session: the last ones before a crash stay for a while. */
const MOST = 20;
const MOST_OF_SESSION = 15;

/** Newest first. */
export const backups = kept("windows", (stored): readonly Backup[] =>
  (Array.isArray(stored) ? stored : []).filter(isObject).map((one) => ({
    at: typeof one["at"] === "number" ? one["at"] : 0,
    session: textField(one, "session") ?? "",
    windows: listField(one, "windows")
      .filter(isObject)
      .map((window) => ({
        tabs: listField(window, "tabs").filter(isObject).map(readTab),
        groups: listField(window, "groups").filter(isObject).map(readGroup),
      })),
  })),
);

/** Whether copies are made. */
export const makesBackups = kept("settings.backup", (stored) => stored !== false);

const session = keptForSession("session", (stored) => (typeof stored === "string" ? stored : null));

/** Keeps a copy of all windows if anything changed since the last one. Never rejects. */
export const backUp = (): Promise<void> =>
  inTurn(async () => {
    if (!(await makesBackups.read())) return;
    const windows = await readWindows();
    const known = await backups.read();
    if (windows.length === 0 || sameWindows(windows, known[0]?.windows ?? [])) return;
    const now = (await session.read()) ?? crypto.randomUUID();
    await session.write(now);
    await backups.write(pruned([{ at: Date.now(), session: now, windows }, ...known], now));
  }, "docket backup").catch(() => {});

const sameWindows = (some: readonly KeptWindow[], others: readonly KeptWindow[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);

const pruned = (all: readonly Backup[], now: string): readonly Backup[] => {
  const own = all.filter(({ session: its }) => its === now).slice(0, MOST_OF_SESSION);
  const before = all.filter(({ session: its }) => its !== now);
  return [...own, ...before].slice(0, MOST);
};

const readWindows = async (): Promise<readonly KeptWindow[]> => {
  const tabs = await browser.tabs.query({});
  const windows = [...Map.groupBy(tabs, ({ windowId }) => windowId).values()];
  const read = await Promise.all(windows.map(readWindow));
  return read.filter((window) => window.tabs.length > 0);
};

const readWindow = async (tabs: readonly Tab[]): Promise<KeptWindow> => ({
  tabs: tabs
    .toSorted((a, b) => a.index - b.index)
    .flatMap((tab): readonly KeptTab[] => {
      const url = savableUrl(urlOf(tab));
      if (url === null) return [];
      const { pinned, groupId = -1 } = tab;
      const title = savableTitle(tab.title, urlOf(tab)) ?? url;
      return [{ url, title, pinned, group: groupId < 0 ? null : `${groupId}` }];
    }),
  groups: (await groupsOf(tabs)).map(({ id, title = "", color: colour, collapsed = false }) => ({
    id: `${id}`,
    title,
    colour,
    collapsed,
  })),
});

/** Which window of which copy. */
export type WindowRequest = { readonly at: number; readonly window: number };

/**
 * Opens a window as it was, beside those that are open. Rejects with `NotPossible` if the copy is gone. The worker may be
 * stopped at any moment: see `runJob`.
 */
export const openKeptWindow = async (
  request: WindowRequest,
  key: string,
): Promise<ReopenReport> => {
  const { tabs, refused } = await runJob(key, () => jobFor(request, key));
  return { opened: tabs.length, refused };
};

const jobFor = async ({ at, window }: WindowRequest, key: string): Promise<Job> => {
  const found = (await backups.read()).find((one) => one.at === at)?.windows[window];
  if (!found)
    throw new NotPossible("This copy is no longer there: newer ones have taken its place.");
  const before = (await browser.tabs.query({})).flatMap(({ id }) => id ?? []);
  return {
    key,
    where: "window",
    tabs: found.tabs.map((tab) => ({ ...tab, entry: null })),
    groups: found.groups.map((group) => ({ ...group, open: null })),
    before,
    refused: [],
    isDone: false,
  };
};
