import { isWebAddress } from "../../client/views.ts";
import { shortenedTo } from "../../domain/base/text.ts";

/** Returns the address to save for a tab's address; null if it cannot be saved. */
export const savableUrl = (url: string): string | null => {
  const inner = readerUrl(url) ?? url;
  return isWebAddress(inner) ? inner : null;
};

/** Firefox's reader view has the page's own address inside its own. */
const readerUrl = (url: string): string | null =>
  url.startsWith("about:reader?") ? new URLSearchParams(url.slice(13)).get("url") : null;

/** Returns a sentence that says why a tab cannot be saved. */
export const whyNotSaved = (title: string, url: string): string => {
  const name = `“${shortenedTo(title || url || "A new tab", 80)}”`;
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
