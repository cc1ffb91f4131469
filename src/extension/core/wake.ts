import { browser } from "../browser/api.ts";

// Alarms outlive the worker. One is set before something is saved, so that a worker that is stopped between the store
// and the server is woken to finish.

const PUSH = "push";
const PULL = "pull";
const CLOSE = "close";
const OPEN = "open";
const BACK_UP = "back up";

/** In minutes. Chrome's shortest. */
const SOON = 0.5;
/** In minutes. What other devices did is also fetched whenever the popup opens. */
const NOW_AND_THEN = 15;
/** In minutes, while other devices can send tabs here. */
const OFTEN = 2;

/** Makes sure that a sync is tried again soon, even if this worker is stopped now. */
export const wakeToPush = async (): Promise<void> => {
  await browser.alarms.create(PUSH, { delayInMinutes: SOON, periodInMinutes: 1 });
};

/** Nothing waits any more. */
export const restFromPush = async (): Promise<void> => {
  await browser.alarms.clear(PUSH);
};

/** Asks for news now and then, while somebody is signed in. */
export const wakeToPull = async (isSignedIn: boolean, receives: boolean): Promise<void> => {
  const minutes = receives ? OFTEN : NOW_AND_THEN;
  if (!isSignedIn) await browser.alarms.clear(PULL);
  else if ((await browser.alarms.get(PULL))?.periodInMinutes !== minutes)
    await browser.alarms.create(PULL, { delayInMinutes: minutes, periodInMinutes: minutes });
};

/** Makes sure that tabs are opened, or closed, to the end, even if this worker is stopped now. */
export const wakeToFinish = async (what: "close" | "open"): Promise<void> => {
  await browser.alarms.create(what, { delayInMinutes: SOON, periodInMinutes: 1 });
};

/** No tab is left to open, or to close. */
export const restFromFinish = async (what: "close" | "open"): Promise<void> => {
  await browser.alarms.clear(what);
};

/** In minutes. */
const BETWEEN_BACKUPS = 3;

/** Makes sure that the windows are looked at every few minutes. */
export const wakeToBackUp = async (): Promise<void> => {
  if ((await browser.alarms.get(BACK_UP)) === undefined)
    await browser.alarms.create(BACK_UP, {
      delayInMinutes: BETWEEN_BACKUPS,
      periodInMinutes: BETWEEN_BACKUPS,
    });
};

/** Whether an alarm asks for a copy of all windows. */
export const isBackUp = (name: string): boolean => name === BACK_UP;

/** Whether an alarm asks to sync. */
export const isWake = (name: string): boolean => name === PUSH || name === PULL;

/** Whether an alarm asks to open or close what is left. */
export const isFinish = (name: string): boolean => name === CLOSE || name === OPEN;
