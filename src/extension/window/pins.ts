import type { Client } from "../../client/client.ts";
import { setTab } from "../../client/edits.ts";
import type { TabView } from "../../client/views.ts";
import { browser, type Tab } from "../browser/api.ts";
import { patiently } from "../browser/kept.ts";
import { wakeToPush } from "../core/wake.ts";
import type { Bound, Followed } from "./bound.ts";

/** What brings the pins of a window and of its task in step. */
type PinPlan = {
  /** Tabs of the task that are pinned by now, or no longer. */
  readonly set: readonly { readonly entry: string; readonly pinned: boolean }[];
  /** Open tabs that were pinned, or not, elsewhere. */
  readonly pin: readonly { readonly tabId: number; readonly pinned: boolean }[];
  readonly followed: readonly Followed[];
};

/**
 * Returns what to do about pinned tabs. What changed on one side since the last step is done on the other; if both
 * changed, the window counts. At the first step, the task does.
 */
export const planPins = (
  followed: readonly Followed[],
  tabs: readonly Tab[],
  entries: readonly TabView[],
): PinPlan => {
  const steps = followed.map((one) => {
    const here = tabs.find(({ id }) => id === one.tabId)?.pinned;
    const there = entries.find(({ id }) => id === one.entry)?.pinned;
    if (here === undefined || there === undefined) return { one, here: false, pinned: false };
    const pinned = here === (one.pinned ?? here) ? there : here;
    return { one: { ...one, pinned }, here, there, pinned };
  });
  return {
    set: steps.flatMap(({ one: { entry }, there, pinned }) =>
      there === undefined || there === pinned ? [] : { entry, pinned },
    ),
    pin: steps.flatMap(({ one: { tabId }, here, pinned }) =>
      here === pinned ? [] : { tabId, pinned },
    ),
    followed: steps.map(({ one }) => one),
  };
};

/** Brings the pins of a window and of its task in step. */
export const stepPins = async (
  client: Client,
  bound: Bound,
): Promise<{ readonly bound: Bound; readonly hasEdited: boolean }> => {
  const { windowId, taskId } = bound;
  const tabs = await browser.tabs.query({ windowId }).catch(() => []);
  const plan = planPins(bound.followed, tabs, client.state().tasks.get(taskId)?.tabs ?? []);
  if (plan.set.length > 0) {
    await wakeToPush();
    const edits = plan.set.map(({ entry, pinned }) =>
      setTab(taskId, entry, { pinned: pinned || null }),
    );
    await client.edit("Pinned tabs of the window saved", edits);
  }
  // One that cannot be pinned now is found again at the next step.
  const failed = new Set<number>();
  for (const { tabId, pinned } of plan.pin)
    await patiently(() => browser.tabs.update(tabId, { pinned })).catch(() => failed.add(tabId));
  const followed = plan.followed.map((one, at) =>
    failed.has(one.tabId) ? (bound.followed[at] ?? one) : one,
  );
  return { bound: { ...bound, followed }, hasEdited: plan.set.length > 0 };
};
