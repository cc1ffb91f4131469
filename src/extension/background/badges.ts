import type { Client } from "../../client/client.ts";
import { browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { showSaved } from "../saved/badge.ts";

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
