import { browser } from "../browser/api.ts";
import { connection } from "../connect/connection.ts";
import { syncNow } from "../core/sync.ts";
import { isWake } from "../core/wake.ts";
import { answerPages } from "./answer.ts";
import { followTabs, showBadge } from "./badges.ts";
import { followKeys } from "./keys.ts";
import { followMenus, makeMenus } from "./menus.ts";
import { followOmnibox } from "./omnibox.ts";

// Chrome runs this as a service worker, Firefox as an event page. Either is stopped when it is idle, at any `await`,
// and started again for the events it listens to. So it keeps nothing that matters, and adds its listeners first.

const begin = async (): Promise<void> => {
  await makeMenus();
  await browser.action.setBadgeBackgroundColor({ color: "#4353d6" });
  await catchUp();
};

const catchUp = async (): Promise<void> => {
  await syncNow();
  await showBadge();
};

browser.runtime.onInstalled.addListener(() => void begin());
browser.runtime.onStartup.addListener(() => void begin());
browser.alarms.onAlarm.addListener(({ name }) => {
  if (isWake(name)) void catchUp();
});
connection.watch(() => void catchUp());
answerPages();
followMenus();
followKeys();
followOmnibox();
followTabs();
