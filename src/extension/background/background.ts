import { backUp } from "../backup/backup.ts";
import { browser } from "../browser/api.ts";
import { connection } from "../connect/connection.ts";
import { syncByAlarm, syncNow } from "../core/sync.ts";
import { isBackUp, isFinish, isWake, wakeToBackUp } from "../core/wake.ts";
import { deviceName } from "../device/device.ts";
import { goOn } from "../reopen/work.ts";
import { closeNoted } from "../save/close.ts";
import { answerPages } from "./answer.ts";
import { followKeys, followTabs, followWindows, showBadge, stepSoon } from "./badges.ts";
import { followMenus, makeMenus } from "./menus.ts";
import { followOmnibox } from "./omnibox.ts";

// Chrome runs this as a service worker, Firefox as an event page. Either is stopped when it is idle, at any `await`,
// and started again for the events it listens to. So it keeps nothing that matters, and adds its listeners first.

const begin = async (): Promise<void> => {
  await makeMenus();
  await wakeToBackUp();
  await browser.action.setBadgeBackgroundColor({ color: "#4353d6" });
  await catchUp();
};

/** Opens and closes the tabs that were left when the worker was stopped. */
const finish = async (): Promise<void> => {
  await closeNoted().catch(() => {});
  await goOn().catch(() => {});
};

const catchUp = async (sync = syncNow): Promise<void> => {
  await sync();
  stepSoon();
  await showBadge();
};

browser.runtime.onInstalled.addListener(({ reason }) => {
  void begin();
  // Nobody finds it otherwise: browsers hide the button of a new extension.
  if (reason === "install") void browser.runtime.openOptionsPage();
});
browser.runtime.onStartup.addListener(() => void begin());
browser.alarms.onAlarm.addListener(({ name }) => {
  if (isWake(name)) void catchUp(syncByAlarm);
  if (isFinish(name)) void finish();
  if (isBackUp(name)) void backUp();
});
connection.watch(() => void catchUp());
// What waited for the permission to reach the server goes now.
browser.permissions.onAdded.addListener(() => void catchUp());
deviceName.watch(() => void catchUp());
answerPages();
followMenus();
followKeys();
followOmnibox();
followTabs();
followWindows();
