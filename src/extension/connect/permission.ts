import { browser, isFirefox } from "../browser/api.ts";
import { patternOf } from "./address.ts";

/**
 * Asks the browser for permission to reach a server, and in Firefox also to send it what is saved. Must be called in
 * response to a click, before anything is awaited. Returns whether the person allowed it.
 */
export const askPermission = (server: string): Promise<boolean> =>
  browser.permissions.request(neededFor(server));

/** Whether the browser lets the extension reach a server. People can withdraw that at any time. */
export const mayReach = (server: string): Promise<boolean> =>
  browser.permissions.contains(neededFor(server));

/** In Firefox, people allow separately that what they save is sent. */
const neededFor = (server: string) => ({
  origins: [patternOf(server)],
  ...(isFirefox() ? { data_collection: ["browsingActivity"] } : {}),
});

/** Says that it does not. */
export const notReached = (server: string): string =>
  `Your browser does not let Docket reach ${server}. What you save waits here.`;

/** Gives the permission for a server back. */
export const dropPermission = async (server: string): Promise<void> => {
  // A browser may refuse, for example if its administrator granted it.
  await browser.permissions.remove({ origins: [patternOf(server)] }).catch(() => false);
};
