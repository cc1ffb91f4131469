import { browser } from "./api.ts";

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
