import type { Client } from "../../client/client.ts";
import { browser, type Tab } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { showSaved } from "../saved/badge.ts";
import { stepWindows } from "../window/step.ts";
import { type Command, openPanel } from "../browser/commands.ts";
import { pickTabs, pickWindow } from "../save/place.ts";
import { saveQuietly } from "./quietly.ts";

/** Keeps the badge true: when another tab comes to the front, when a page changes, and when tasks change. */
export const followTabs = (): void => {
  browser.tabs.onActivated.addListener(() => void showBadge());
  browser.tabs.onUpdated.addListener((_id, change, tab) => {
    // A new page clears what the badge said about the one before it.
    if (tab.active && (change.url !== undefined || change.status === "complete")) void showBadge();
  });
};

let followed: Client | null = null;

export const showBadge = async (): Promise<void> => {
  try {
    const client = await currentClient();
    if (client !== followed) {
      followed = client;
      followTasks(client);
    }
    await showSaved();
  } catch {
    // The store cannot be read now. The badge is shown at the next occasion.
  }
};

const followTasks = (client: Client): void => {
  let { tasks } = client.state();
  client.subscribe(() => {
    if (client.state().tasks === tasks) return;
    tasks = client.state().tasks;
    void showSaved().catch(() => {});
  });
};

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

export const followKeys = (): void =>
  browser.commands?.onCommand.addListener((name, tab) => void follow(name as Command, tab));

const follow = async (command: Command, tab: Tab | undefined): Promise<void> => {
  switch (command) {
    case "open-panel":
      return openPanel(tab?.windowId);
    case "save-tab":
      return saveQuietly({ saved: await pickTabs(tab), place: { kind: "inbox" } });
    case "save-last":
      return saveQuietly({ saved: await pickTabs(tab), place: { kind: "last" } });
    case "save-window": {
      const { saved, title } = await pickWindow(tab);
      return saveQuietly({ saved, place: { kind: "new", title } });
    }
  }
};
