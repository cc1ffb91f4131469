import { isInbox, taskName, type TaskView } from "../../client/views.ts";
import { count } from "../../ui/words/names.ts";
import { browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { type Arrivals, arrivalsIn, deviceName, tasksOfDevice } from "../device/device.ts";
import { urlOf } from "../save/tabs.ts";
import { tasksWith } from "./find.ts";

/** In ms. How long the badge shows what was just saved. */
const FLASH = 4_000;

/** Until when the badge shows what was just done, in milliseconds. */
let flashEnds = 0;

/** Shows on the extension's button whether the page of the active tab is saved, in each window. */
export const showSaved = async (): Promise<void> => {
  const tabs = await browser.tabs.query({ active: true });
  const client = await currentClient();
  await client.whole;
  const name = await deviceName.read();
  if (Date.now() < flashEnds) return;
  const arrived = arrivalsIn(name === null ? [] : tasksOfDevice(client.state(), name));
  await Promise.all(
    tabs.map((tab) => mark(tab.id, tasksWith(client.state(), urlOf(tab)), arrived)),
  );
};

/** Tabs that were sent here come first: they wait for the person. */
const mark = async (
  tabId: number | undefined,
  tasks: readonly TaskView[],
  arrived: Arrivals,
): Promise<void> => {
  if (tabId === undefined) return;
  const isWaiting = arrived.count > 0;
  const text = isWaiting ? String(arrived.count) : tasks.length === 0 ? "" : "✓";
  const title = isWaiting ? titleOfArrived(arrived) : titleOf(tasks);
  await show(tabId, text, title);
};

/** Asks for both in one turn: nothing that is shown meanwhile comes between them. */
const show = async (tabId: number, text: string, title: string): Promise<void> => {
  // The tab may be closed by now.
  await Promise.allSettled([
    browser.action.setTitle({ tabId, title }),
    browser.action.setBadgeText({ tabId, text }),
  ]);
};

const titleOfArrived = ({ count: tabs, from, isByAgents }: Arrivals): string =>
  `Docket: ${count(tabs, "tab was", "tabs were")} sent here${isByAgents ? ` ${from}` : ""}`;

const titleOf = (tasks: readonly TaskView[]): string => {
  const [first] = tasks;
  if (!first) return "Docket";
  const name = isInbox(first) ? "the inbox" : `“${taskName(first)}”`;
  return tasks.length === 1
    ? `Docket: saved in ${name}`
    : `Docket: saved in ${name} and ${tasks.length - 1} more`;
};

/** Shows for a moment that something was saved or went wrong, then what is usual. */
export const flash = async (text: string, title: string): Promise<void> => {
  flashEnds = Date.now() + FLASH;
  const tabs = await browser.tabs.query({ active: true });
  await Promise.all(tabs.map(async ({ id }) => id !== undefined && show(id, text, title)));
  setTimeout(() => void showSaved().catch(() => {}), FLASH);
};
