import { isWebAddress, type TabView, type TaskView } from "../../client/views.ts";
import { NotPossible } from "../../client/state.ts";
import { browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/turn.ts";
import { restFromFinish, wakeToFinish } from "../core/wake.ts";
import { putInGroup } from "./group.ts";
import { type Job, lastJob, openedTabs } from "./job.ts";
import { openTabs } from "./open-tabs.ts";
import type { ReopenReport, ReopenRequest } from "./request.ts";
import { sleepOnceThere } from "./sleep.ts";

const QUEUE = "docket opening";

/**
 * Opens tabs of a task again. Only the first one loads; the others load when someone looks at them, where the browser
 * can do that. Rejects with `NotPossible` if the task is gone or none of its tabs can be opened. The worker may be
 * stopped at any moment. Asked again with the same `key`, it goes on where it was; so does the next alarm.
 */
export const reopen = async (request: ReopenRequest, key: string): Promise<ReopenReport> => {
  const { ids, refused } = await reopenTabs(request, key);
  return { opened: ids.length, refused };
};

/** What was opened, in the order of the task, and a sentence for each tab that was not. */
type Reopened = {
  readonly ids: readonly number[];
  /** The ids that these tabs have in the task, as far as they have one. */
  readonly entries: readonly string[];
  readonly refused: readonly string[];
};

/** The same, and returns the browser's numbers of the tabs. */
export const reopenTabs = (request: ReopenRequest, key: string): Promise<Reopened> =>
  inTurn(async () => {
    const begun = await lastJob.read();
    if (begun?.key === key) return work(begun);
    // One that fails must not be in the way of the next.
    if (begun) await work(begun).catch(() => {});
    const job = await jobFor(request, key);
    await wakeToFinish("open");
    await openedTabs.write([]);
    await lastJob.write(job);
    return work(job);
  }, QUEUE);

/** Goes on with what was interrupted. */
export const goOn = (): Promise<void> =>
  inTurn(async () => {
    const begun = await lastJob.read();
    if (begun) await work(begun);
    // Also when the browser has ended meanwhile, and forgotten what was to be opened.
    await restFromFinish("open");
  }, QUEUE);

const jobFor = async (request: ReopenRequest, key: string): Promise<Job> => {
  const { taskId, names, where } = request;
  const client = await currentClient();
  await client.whole;
  const task = client.state().tasks.get(taskId);
  if (!task) throw new NotPossible("This task is no longer there. It may have been deleted.");
  const wanted = task.tabs.filter(({ id, at }) => names === null || names.includes(id ?? at));
  const tabs = wanted.filter(({ url }) => isWebAddress(url));
  const refused = wanted.filter((tab) => !tabs.includes(tab)).map(whyNotOpened);
  if (tabs.length === 0) throw new NotPossible(refused[0] ?? "This task has no tabs to open.");
  const open = await browser.tabs.query({});
  const before = open.flatMap(({ id }) => id ?? []);
  return { key, where, ...grouped(task, tabs, where), before, refused, isDone: false };
};

/** The groups that the tabs were saved with; or one for all, named after the task. */
const grouped = (
  { id, title, colour, groups }: TaskView,
  tabs: readonly TabView[],
  where: ReopenRequest["where"],
): Pick<Job, "groups" | "tabs"> => {
  const inOne = where === "group";
  return {
    tabs: tabs.map(({ id: entry, url, title: name, group }) => ({
      entry,
      url,
      title: name,
      group: inOne ? id : group,
    })),
    groups: inOne ? [{ id, title, colour }] : groups,
  };
};

const whyNotOpened = ({ title, url }: TabView): string =>
  `“${title.slice(0, 80)}” was not opened: ${url.slice(0, 80)} is not a web address.`;

const work = async (job: Job): Promise<Reopened> => {
  if (!job.isDone) {
    const ids = await openTabs(job);
    for (const group of job.groups) {
      const inGroup = ids.filter((_id, at) => job.tabs[at]?.group === group.id);
      // The tabs are open, and count more than how they are arranged.
      if (inGroup.length > 0) await putInGroup(inGroup, group).catch(() => {});
    }
    await sleepOnceThere(ids.slice(1));
    await lastJob.write({ ...job, isDone: true });
    await restFromFinish("open");
  }
  const ids = await openedTabs.read();
  const entries = job.tabs.slice(0, ids.length).flatMap(({ entry }) => entry ?? []);
  return { ids, entries, refused: job.refused };
};
