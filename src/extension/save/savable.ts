import { isWebAddress } from "../../client/views.ts";
import { shortenedTo, shownName } from "../../domain/base/text.ts";
import { innerAddress } from "../../domain/tasks/inner-address.ts";
import { isObject } from "../../domain/base/payload.ts";
import { kept } from "../browser/kept.ts";

/**
 * Returns the address to save for a tab's address; null if it cannot be saved. What a browser or an extension shows in
 * the place of a page (its source, reader view, a suspended tab) is saved under the page's own address.
 */
export const savableUrl = (url: string): string | null => {
  const inner = innerAddress(url).url;
  return isWebAddress(inner) ? inner : null;
};

/** Returns the title to save for a tab: the page's own where the tab only says its address, or that it is suspended. */
export const savableTitle = (title: string | undefined, url: string): string | null => {
  const name = shownName(title?.trim() ?? "", "");
  const inner = innerAddress(url);
  // Chrome leaves the scheme of an address out where it shows one as a title.
  const isAddress = [url, inner.url].some(
    (one) => name === one || name === one.replace(/^(view-source:)?[a-z-]+:\/\//i, "$1"),
  );
  return (name === "" || isAddress || name === "Suspended Tab" ? inner.title : name) || null;
};

/** Whether an address is a page of the server that somebody is signed in at: its tasks, or the account. */
export const isOwnPage = (url: string, server: string | null): boolean =>
  server !== null && URL.parse(savableUrl(url) ?? "")?.origin === server;

/** Returns a sentence that says why a tab cannot be saved. */
export const whyNotSaved = (title: string, url: string): string => {
  const name = `“${shortenedTo(shownName(title, url || "A new tab"), 80)}”`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? "";
  if (scheme === "") return `${name} was not saved: it has no address yet.`;
  if (scheme === "file")
    return `${name} was not saved: it is a file on this computer, and other devices cannot open it.`;
  if (BROWSER_PAGES.includes(scheme))
    return `${name} was not saved: it is a page of the browser or of an extension.`;
  return `${name} was not saved: addresses that begin with “${scheme}:” cannot be opened again.`;
};

const BROWSER_PAGES = [
  "about",
  "brave",
  "chrome",
  "chrome-extension",
  "chrome-search",
  "chrome-untrusted",
  "devtools",
  "edge",
  "moz-extension",
  "opera",
  "vivaldi",
];

export type Settings = {
  /** Whether tabs are closed once they are saved. */
  readonly close: boolean;
  /** Whether tabs leave their task once the popup has opened them. */
  readonly takeOut: boolean;
};

/** As earlier versions kept them, all in one. */
const together = kept("settings", (stored) => (isObject(stored) ? stored : {}));

const setting = (name: keyof Settings) =>
  kept(`settings.${name}`, (stored) => (typeof stored === "boolean" ? stored : null));

const each = { close: setting("close"), takeOut: setting("takeOut") };

export const readSettings = async (): Promise<Settings> => {
  const [before, close, takeOut] = await Promise.all([
    together.read(),
    each.close.read(),
    each.takeOut.read(),
  ]);
  return {
    close: close ?? before["close"] === true,
    takeOut: takeOut ?? before["takeOut"] === true,
  };
};

/** Written at once, without reading anything first: a popup may close in that moment. */
export const changeSetting = (name: keyof Settings, value: boolean): Promise<void> =>
  each[name].write(value);
