import { browser, isFirefox } from "../browser/api.ts";
import { patternOf } from "./address.ts";

/**
 * Asks the browser for permission to reach a server, and in Firefox also to send it what is saved. Must be called in
 * response to a click, before anything is awaited. Returns whether the person allowed it.
 */
export const askPermission = (server: string): Promise<boolean> =>
  browser.permissions.request({
    origins: [patternOf(server)],
    ...(isFirefox() ? { data_collection: ["browsingActivity"] } : {}),
  });

export const mayReach = (server: string): Promise<boolean> =>
  browser.permissions.contains({ origins: [patternOf(server)] });

/** Gives the permission for a server back. */
export const dropPermission = async (server: string): Promise<void> => {
  // A browser may refuse, for example if its administrator granted it.
  await browser.permissions.remove({ origins: [patternOf(server)] }).catch(() => false);
};
