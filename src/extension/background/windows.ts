import { browser } from "../browser/api.ts";
import { stepWindows } from "../window/step.ts";

/** In ms. A page that is on its way to another one has arrived by then, mostly. */
const SOON = 400;

let timer: ReturnType<typeof setTimeout> | null = null;

/** Brings the windows of tasks in step soon. Calls in the meantime are answered together, and put nothing off. */
export const stepSoon = (): void => {
  timer ??= setTimeout(() => {
    timer = null;
    // If that fails, the next event tries again.
    void stepWindows().catch(() => {});
  }, SOON);
};

/** Keeps windows and their tasks in step: when a tab comes, or changes its page, group or pin. */
export const followWindows = (): void => {
  const { tabs, tabGroups } = browser;
  tabs.onAttached.addListener(stepSoon);
  tabs.onCreated.addListener(stepSoon);
  tabs.onRemoved.addListener(stepSoon);
  tabs.onUpdated.addListener((_id, change) => {
    const { url, status, groupId, pinned } = change;
    if (status === "complete" || [url, groupId, pinned].some((one) => one !== undefined))
      stepSoon();
  });
  tabGroups?.onUpdated.addListener(stepSoon);
  // A worker that was stopped before it was done.
  stepSoon();
};
