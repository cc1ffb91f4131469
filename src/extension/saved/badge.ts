import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import type { TaskView } from "../../client/views.ts";
import { browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
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
  if (Date.now() < flashEnds) return;
  await Promise.all(tabs.map((tab) => mark(tab.id, tasksWith(client.state(), urlOf(tab)))));
};

const mark = async (tabId: number | undefined, tasks: readonly TaskView[]): Promise<void> => {
  if (tabId === undefined) return;
  const text = tasks.length === 0 ? "" : "✓";
  // The tab may be closed by now.
  await browser.action.setBadgeText({ tabId, text }).catch(() => {});
  await browser.action.setTitle({ tabId, title: titleOf(tasks) }).catch(() => {});
};

const titleOf = (tasks: readonly TaskView[]): string => {
  const [first] = tasks;
  if (!first) return "Docket";
  const name = first.title === INBOX_TITLE ? "the inbox" : `“${first.title || "Untitled"}”`;
  return tasks.length === 1
    ? `Docket: saved in ${name}`
    : `Docket: saved in ${name} and ${tasks.length - 1} more`;
};

/** Shows for a moment that something was saved or went wrong, then what is usual. */
export const flash = async (text: string, title: string): Promise<void> => {
  flashEnds = Date.now() + FLASH;
  const tabs = await browser.tabs.query({ active: true });
  for (const { id } of tabs) {
    if (id === undefined) continue;
    await browser.action.setBadgeText({ tabId: id, text }).catch(() => {});
    await browser.action.setTitle({ tabId: id, title }).catch(() => {});
  }
  setTimeout(() => void showSaved().catch(() => {}), FLASH);
};
