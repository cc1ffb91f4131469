import { NotPossible } from "../../client/state.ts";
import { browser, isFirefox, type Tab } from "../browser/api.ts";
import { patiently } from "../browser/kept.ts";
import { urlOf } from "../save/tabs.ts";
import { isOpened, type Job, NOT_OPENED, openedTabs } from "./job.ts";
import { asleep } from "./sleep.ts";

/** Opens the tabs of a job that are not open yet. Returns the browser's numbers of all of them, in their order. */
export const openTabs = async (job: Job): Promise<readonly number[]> => {
  const opened = [...(await openedTabs.read())];
  const left = job.tabs.slice(opened.length);
  // Only the first of them can be open already: if the worker was stopped before it could note that.
  let found = await openUnnoted(job, opened);
  for (const [at, tab] of left.entries()) {
    const first = opened.find(isOpened);
    const id = at === 0 && found ? found : await tryToOpen(tab, first ?? job.where);
    found = null;
    opened.push(id);
    await openedTabs.write(opened);
  }
  return opened;
};

const openUnnoted = async (job: Job, opened: readonly number[]): Promise<number | null> => {
  const wanted = job.tabs[opened.length];
  if (!wanted) return null;
  const known = new Set([...job.before, ...opened]);
  const came = (await browser.tabs.query({})).filter(({ id = -1 }) => !known.has(id));
  // While a tab begins to load, Firefox says that it is empty.
  const isIt = (tab: Tab): boolean =>
    urlOf(tab) === wanted.url ||
    (isFirefox() && opened.length === 0 && tab.active && urlOf(tab) === "about:blank");
  return came.find(isIt)?.id ?? null;
};

type Wanted = Job["tabs"][number];

/** One that the browser does not open must not keep the others closed. */
const tryToOpen = (wanted: Wanted, place: Job["where"] | number): Promise<number> =>
  patiently(() => open(wanted, place)).catch((error: unknown) => {
    if (error instanceof NotPossible) throw error;
    return NOT_OPENED;
  });

/** Opens a tab beside the first of the others, or where the first one belongs. */
const open = async (wanted: Wanted, place: Job["where"] | number): Promise<number> => {
  const tab =
    typeof place === "string" ? await openFirst(wanted, place) : await openBeside(wanted, place);
  if (tab.id === undefined) throw new NotPossible("The browser did not open a tab.");
  return tab.id;
};

const openBeside = async (wanted: Wanted, firstId: number): Promise<Tab> => {
  const { url, pinned } = wanted;
  const first = await browser.tabs.get(firstId).catch(() => null);
  const fields = { url, pinned, active: false, ...asleep(wanted) };
  // Someone may have closed the first one, and its window.
  return browser.tabs.create(first ? { ...fields, windowId: first.windowId } : fields);
};

const openFirst = async (wanted: Wanted, where: Job["where"]): Promise<Tab> => {
  const { url, pinned } = wanted;
  if (where === "window" && browser.windows) {
    const made = await browser.windows.create({ url });
    const [tab] = made?.tabs ?? [];
    if (tab && pinned) await browser.tabs.update(tab.id ?? -1, { pinned });
    if (tab) return tab;
  }
  const [here] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  const [any] = here ? [here] : await browser.tabs.query({ active: true });
  if (!any) throw new NotPossible("No window is open.");
  const { windowId } = any;
  return where === "behind"
    ? browser.tabs.create({ url, pinned, active: false, windowId, ...asleep(wanted) })
    : browser.tabs.create({ url, pinned, active: true, windowId });
};
