import { type TabView, taskName, type TaskView } from "../../client/views.ts";
import { NotPossible } from "../../client/state.ts";
import { browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { savableUrl } from "../save/savable.ts";
import { withoutTracking } from "../../domain/tasks/address.ts";
import { urlOf } from "../save/tabs.ts";
import type { Job, ReopenReport, ReopenRequest } from "./job.ts";
import { takeOut } from "./take-out.ts";
import { type Reopened, runJob } from "./work.ts";
import { shortenedTo } from "../../domain/base/text.ts";

/**
 * Opens tabs of a task again. Only the first one loads; the others load when someone looks at them, where the browser
 * can do that. Rejects with `NotPossible` if the task is gone or none of its tabs can be opened. The worker may be
 * stopped at any moment. Asked again with the same `key`, it goes on where it was; so does the next alarm.
 */
export const reopen = async (request: ReopenRequest, key: string): Promise<ReopenReport> => {
  const { tabs, refused } = await reopenTabs(request, key);
  if (request.takeOut) {
    const entries = tabs.flatMap(({ entry }) => entry ?? []);
    await takeOut(await currentClient(), request.taskId, entries, key);
  }
  return { opened: tabs.length, refused };
};

/** The same, and returns the browser's numbers of the tabs. */
export const reopenTabs = (request: ReopenRequest, key: string): Promise<Reopened> =>
  runJob(key, () => jobFor(request, key));

const jobFor = async (request: ReopenRequest, key: string): Promise<Job> => {
  const { taskId, names, where, onlyClosed = false } = request;
  const client = await currentClient();
  await client.whole;
  const task = client.state().tasks.get(taskId);
  if (!task) throw new NotPossible("This task is no longer there. It may have been deleted.");
  const wanted = task.tabs.filter(({ id, at }) => names === null || names.includes(id ?? at));
  const open = await browser.tabs.query({});
  const openUrls = new Set(onlyClosed ? open.map((tab) => withoutTracking(urlOf(tab))) : []);
  // Another client may have saved a suspended tab, or the source of a page, under that address.
  const tabs = wanted.flatMap((tab) => {
    const url = savableUrl(tab.url);
    return url === null || openUrls.has(withoutTracking(url)) ? [] : [{ ...tab, url }];
  });
  const refused = wanted.filter(({ url }) => savableUrl(url) === null).map(whyNotOpened);
  if (tabs.length === 0) {
    const isOpen = openUrls.size > 0 && wanted.length > refused.length;
    throw new NotPossible(
      refused[0] ??
        (isOpen ? "All of these tabs are open already." : "This task has no tabs to open."),
    );
  }
  const before = open.flatMap(({ id }) => id ?? []);
  return { key, where, ...grouped(task, tabs, where), before, refused, isDone: false };
};

/** The groups that the tabs were saved with; or one for all, named after the task. */
const grouped = (
  task: TaskView,
  tabs: readonly TabView[],
  where: ReopenRequest["where"],
): Pick<Job, "groups" | "tabs"> => {
  const { id, colour, groups } = task;
  const inOne = where === "group";
  return {
    tabs: tabs.map(({ id: entry, url, title: name, pinned, group }) => ({
      entry,
      url,
      title: name,
      // No browser has a pinned tab in a group.
      ...(inOne ? { pinned: false, group: id } : { pinned, group: pinned ? null : group }),
    })),
    groups: (inOne ? [{ id, title: taskName(task), colour, collapsed: false }] : groups).map(
      (one) => ({
        ...one,
        open: null,
      }),
    ),
  };
};

const whyNotOpened = ({ title, url }: TabView): string =>
  `“${shortenedTo(title, 80)}” was not opened: ${shortenedTo(url, 80)} is not a web address.`;
