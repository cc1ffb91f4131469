import { NotPossible } from "../../client/state.ts";
import { browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/adopt.ts";
import { reopenTabs } from "../reopen/reopen.ts";
import { savableUrl } from "../save/savable.ts";
import { withoutTracking } from "../../domain/tasks/address.ts";
import { boundWindows, type Followed } from "./bound.ts";
import { stepWindows } from "./step.ts";

/**
 * Opens the window of a task with all its tabs, and keeps the two in step from now on. If it is open already, brings it
 * to the front. Rejects with `NotPossible` if the task is gone. Asked again with the same `key`, it goes on where it was.
 */
export const openTaskWindow = async (taskId: string, key: string): Promise<void> => {
  const client = await currentClient();
  await client.whole;
  const task = client.state().tasks.get(taskId);
  const { windows } = browser;
  if (!task) throw new NotPossible("This task is no longer there. It may have been deleted.");
  if (!windows) throw new NotPossible("This browser has no windows.");
  const there = (await boundWindows.read()).find((one) => one.taskId === taskId);
  if (there && (await toFront(there.windowId))) return;
  const tabs = task.tabs.filter(({ url }) => savableUrl(url) !== null);
  const request = { taskId, names: null, where: "window" } as const;
  const opened = tabs.length === 0 ? [] : (await reopenTabs(request, key)).tabs;
  const [first] = opened;
  const windowId =
    first === undefined
      ? (await windows.create({}))?.id
      : (await browser.tabs.get(first.id)).windowId;
  if (windowId === undefined) throw new NotPossible("The browser did not open a window.");
  const followed: readonly Followed[] = opened.flatMap(({ id: tabId, entry }) =>
    entry === null ? [] : [{ tabId, entry, own: false, page: null }],
  );
  const known = tabs.map(({ url }) => withoutTracking(url));
  await change((all) => [
    ...all.filter((one) => one.taskId !== taskId),
    { windowId, taskId, followed, known, groups: [] },
  ]);
  // Now its groups look as the task has them. From here on, they change on purpose.
  await stepWindows();
};

/** Keeps a window in step no longer. It stays open, and the task stays as it is. */
export const freeWindow = (windowId: number): Promise<void> =>
  change((all) => all.filter((one) => one.windowId !== windowId));

type All = Awaited<ReturnType<typeof boundWindows.read>>;

const change = (next: (all: All) => All): Promise<void> =>
  inTurn(async () => boundWindows.write(next(await boundWindows.read())));

/** Returns whether the window is still there. */
const toFront = async (windowId: number): Promise<boolean> => {
  try {
    await browser.windows?.update(windowId, { focused: true });
    return true;
  } catch {
    return false;
  }
};
