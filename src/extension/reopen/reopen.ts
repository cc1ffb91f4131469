import { isWebAddress, type TabView, type TaskView } from "../../client/views.ts";
import { NotPossible } from "../../client/state.ts";
import { browser, isFirefox } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { putInGroup } from "./group.ts";
import type { ReopenReport, ReopenRequest } from "./request.ts";
import { sleepOnceThere } from "./sleep.ts";

/**
 * Opens tabs of a task again. Only the first one loads; the others load when someone looks at them, where the browser
 * can do that. Rejects with `NotPossible` if the task is gone or none of its tabs can be opened.
 */
export const reopen = async ({ taskId, names, where }: ReopenRequest): Promise<ReopenReport> => {
  const client = await currentClient();
  await client.whole;
  const task = client.state().tasks.get(taskId);
  if (!task) throw new NotPossible("This task is no longer there. It may have been deleted.");
  const wanted = task.tabs.filter(({ id, at }) => names === null || names.includes(id ?? at));
  const good = wanted.filter(({ url }) => isWebAddress(url));
  const refused = wanted.filter((tab) => !good.includes(tab)).map(whyNotOpened);
  if (good.length === 0) throw new NotPossible(refused[0] ?? "This task has no tabs to open.");
  const opened = await openTabs(good, where);
  await regroup(task, opened, where);
  await sleepOnceThere(opened.slice(1).map(({ id }) => id));
  return { opened: opened.length, refused };
};

const whyNotOpened = ({ title, url }: TabView): string =>
  `“${title.slice(0, 80)}” was not opened: ${url.slice(0, 80)} is not a web address.`;

type Opened = { readonly id: number; readonly tab: TabView };

const openTabs = async (
  tabs: readonly TabView[],
  where: ReopenRequest["where"],
): Promise<readonly Opened[]> => {
  const [first, ...rest] = tabs;
  if (!first) return [];
  const start = await openFirst(first, where);
  const opened: Opened[] = start.id === undefined ? [] : [{ id: start.id, tab: first }];
  for (const tab of rest) {
    const { id } = await browser.tabs.create({
      url: tab.url,
      active: false,
      windowId: start.windowId,
      ...(isFirefox() ? { discarded: true, title: tab.title } : {}),
    });
    if (id !== undefined) opened.push({ id, tab });
  }
  return opened;
};

const openFirst = async (
  { url }: TabView,
  where: ReopenRequest["where"],
): Promise<{ readonly id?: number; readonly windowId: number }> => {
  if (where === "window" && browser.windows) {
    const made = await browser.windows.create({ url });
    const [tab] = made?.tabs ?? [];
    if (tab) return tab;
  }
  const [here] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  const [any] = here ? [here] : await browser.tabs.query({ active: true });
  if (!any) throw new NotPossible("No window is open.");
  return browser.tabs.create({ url, active: true, windowId: any.windowId });
};

/** Puts the tabs into the groups that they were saved with; or all into one, named after the task. */
const regroup = async (
  { title, colour, groups }: TaskView,
  opened: readonly Opened[],
  where: ReopenRequest["where"],
): Promise<void> => {
  if (where === "group")
    return putInGroup(
      opened.map(({ id }) => id),
      { title, colour },
    );
  for (const group of groups) {
    const ids = opened.flatMap(({ id, tab }) => (tab.group === group.id ? [id] : []));
    if (ids.length > 0) await putInGroup(ids, group);
  }
};
