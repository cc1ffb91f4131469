import { inTurn } from "../core/adopt.ts";
import { restFromFinish, wakeToFinish } from "../core/wake.ts";
import { putInGroup } from "./group.ts";
import { shortenedTo, shownName } from "../../domain/base/text.ts";
import { isOpened, type Job, lastJob, openedTabs } from "./job.ts";
import { openTabs } from "./open-tabs.ts";
import { sleepOnceThere } from "./sleep.ts";

const QUEUE = "docket opening";

/** What was opened, in the order of the job, and a sentence for each tab that was not. */
export type Reopened = {
  /** The browser's number of each tab, and the id that it has in the task, if it has one. */
  readonly tabs: readonly { readonly id: number; readonly entry: string | null }[];
  readonly refused: readonly string[];
};

/**
 * Opens the tabs of a job. The worker may be stopped at any moment. Asked again with the same `key`, it goes on with the
 * job that it has begun, and `makeJob` is not called.
 */
export const runJob = (key: string, makeJob: () => Promise<Job>): Promise<Reopened> =>
  inTurn(async () => {
    const begun = await lastJob.read();
    if (begun?.key === key) return work(begun);
    // One that fails must not be in the way of the next.
    if (begun) await work(begun).catch(() => {});
    const job = await makeJob();
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

const work = async (job: Job): Promise<Reopened> => {
  if (!job.isDone) {
    const ids = await openTabs(job);
    for (const group of job.groups) {
      const inGroup = ids.filter((id, at) => isOpened(id) && job.tabs[at]?.group === group.id);
      // The tabs are open, and count more than how they are arranged.
      if (inGroup.length > 0) await putInGroup(inGroup, group).catch(() => {});
    }
    const opened = ids.filter(isOpened);
    await sleepOnceThere(job.where === "behind" ? opened : opened.slice(1));
    await lastJob.write({ ...job, isDone: true });
    await restFromFinish("open");
  }
  const all = (await openedTabs.read()).flatMap((id, at) => {
    const tab = job.tabs[at];
    return tab ? { ...tab, id } : [];
  });
  const failed = all.filter(({ id }) => !isOpened(id));
  return {
    tabs: all.filter(({ id }) => isOpened(id)).map(({ id, entry }) => ({ id, entry })),
    refused: [...job.refused, ...failed.map(whyNotOpened)],
  };
};

const whyNotOpened = ({ title, url }: Job["tabs"][number]): string =>
  `“${shortenedTo(shownName(title, url), 80)}” was not opened: the browser refused it.`;
