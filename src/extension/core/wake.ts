import { browser } from "../browser/api.ts";

// Alarms outlive the worker. One is set before something is saved, so that a worker that is stopped between the store
// and the server is woken to finish.

const PUSH = "push";
const PULL = "pull";

/** In minutes. Chrome's shortest. */
const SOON = 0.5;
/** In minutes. What other devices did is also fetched whenever the popup opens. */
const NOW_AND_THEN = 15;

/** Makes sure that a sync is tried again soon, even if this worker is stopped now. */
export const wakeToPush = async (): Promise<void> => {
  await browser.alarms.create(PUSH, { delayInMinutes: SOON, periodInMinutes: 1 });
};

/** Nothing waits any more. */
export const restFromPush = async (): Promise<void> => {
  await browser.alarms.clear(PUSH);
};

/** Asks for news now and then, while somebody is signed in. */
export const wakeToPull = async (isSignedIn: boolean): Promise<void> => {
  if (!isSignedIn) await browser.alarms.clear(PULL);
  else if (!(await browser.alarms.get(PULL)))
    await browser.alarms.create(PULL, {
      delayInMinutes: NOW_AND_THEN,
      periodInMinutes: NOW_AND_THEN,
    });
};

/** Whether a name is that of one of these alarms. */
export const isWake = (name: string): boolean => name === PUSH || name === PULL;
