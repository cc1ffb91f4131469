import { isObject, textField } from "../../domain/base/payload.ts";
import { kept } from "../browser/kept.ts";
import { browser, isFirefox } from "../browser/api.ts";
import { patternOf } from "./address.ts";

/** The server that this browser syncs with, and whose account. */
export type Connection = {
  /** The server's origin. */
  readonly server: string;
  /** The origin that names this browser's store: the one of the first sign-in. A server may move to another address. */
  readonly store: string;
  readonly account: { readonly id: string; readonly email: string };
  /** The session's token. Null once the server no longer accepts it: what is stored here stays. */
  readonly token: string | null;
};

/** Null while nobody is signed in. */
export const connection = kept("connection", (stored): Connection | null => {
  if (!isObject(stored) || !isObject(stored["account"])) return null;
  const server = textField(stored, "server");
  const id = textField(stored["account"], "id");
  if (server === null || id === null) return null;
  const email = textField(stored["account"], "email") ?? "";
  const store = textField(stored, "store") ?? server;
  return { server, store, account: { id, email }, token: textField(stored, "token") };
});

/** Notes that the server refused a token. Does nothing if someone has signed in again since. */
export const endSession = async (token: string): Promise<void> => {
  const now = await connection.read();
  if (now?.token === token) await connection.write({ ...now, token: null });
};

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
