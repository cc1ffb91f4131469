import { browser } from "../browser/api.ts";
import { connected } from "../connect/connected.ts";
import { openOptions } from "../parts/standing.tsx";

/** Opens a page of the server in a tab. The extension has no account pages of its own, and its options sign in. */
export const leave = (path: string): void => {
  const { server, token } = connected.value ?? { server: null, token: null };
  if (server === null || token === null || path.startsWith("/sign-in")) void openOptions();
  else open(`${server}${path}`);
};

const open = (url: string): void => void browser.tabs.create({ url, active: true });

/**
 * Takes over the links that the app has to the pages of its server, and those to its own views where they are to be in
 * a tab: with a middle click, or with Ctrl.
 */
export const followLinksOut = (): void => {
  for (const kind of ["click", "auxclick"] as const)
    document.addEventListener(kind, (event) => {
      const link = (event.target as Element).closest?.("a[href^='/']");
      const path = link?.getAttribute("href");
      if (path == null || event.defaultPrevented || event.button > 1) return;
      const isApart = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
      if (!path.startsWith("/tasks")) leave(path);
      else if (isApart) open(browser.runtime.getURL(`panel.html#${path}`));
      else return;
      event.preventDefault();
    });
};
