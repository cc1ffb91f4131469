import { browser } from "./api.ts";

/**
 * What can be done with one keystroke. No browser uses these keys itself. In Firefox on Linux and Windows, Alt and the
 * letter of a menu open that menu, also with Shift: F, E, V, S, B, T and H in English. The letters here open one in none of the eleven
 * languages that were looked at. On a Mac, Alt types characters, so there it is Control.
 */
const COMMANDS = {
  _execute_action: {
    suggested_key: { default: "Alt+Shift+J", mac: "MacCtrl+Shift+J" },
  },
  "save-tab": {
    description: "Save this tab to the inbox",
    suggested_key: { default: "Alt+Shift+Q", mac: "MacCtrl+Shift+Q" },
  },
  "save-window": {
    description: "Save all tabs of this window as a new task",
    suggested_key: { default: "Alt+Shift+Y", mac: "MacCtrl+Shift+Y" },
  },
  "save-last": {
    description: "Save this tab to the task used last",
    suggested_key: { default: "Alt+Shift+Period", mac: "MacCtrl+Shift+Period" },
  },
} as const;

/** Chrome refuses an extension that suggests more than four keys, so people choose the one for the panel themselves. */
export const CHROME_COMMANDS = {
  ...COMMANDS,
  "open-panel": { description: "Open the side panel" },
} as const;

export const FIREFOX_COMMANDS = {
  ...COMMANDS,
  _execute_sidebar_action: {
    description: "Open or close the sidebar",
    suggested_key: { default: "Alt+Shift+Comma", mac: "MacCtrl+Shift+Comma" },
  },
} as const;

export type Command = Exclude<keyof typeof CHROME_COMMANDS, "_execute_action">;

/** Whether the browser has a side panel. Firefox for Android has none. */
export const hasPanel = (): boolean => Boolean(browser.sidePanel ?? browser.sidebarAction);

/**
 * Opens the side panel of a window, in Firefox the sidebar of the window in front. Browsers allow it only in response to
 * a click or a key, so nothing may be awaited before.
 */
export const openPanel = (windowId: number | undefined): void => {
  const opening =
    browser.sidebarAction?.open() ??
    (windowId === undefined ? undefined : browser.sidePanel?.open({ windowId }));
  // The browser may refuse, for example in a window that has no room for it.
  opening?.catch(() => {});
};
