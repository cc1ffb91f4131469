import { browser, isFirefox, type Tab } from "../browser/api.ts";

type Asleep = { readonly discarded?: true; readonly title?: string };

/** What makes a new tab one that loads when someone looks at it, where the browser can do that from the start. */
export const asleep = ({
  title,
  pinned,
}: {
  readonly title: string;
  readonly pinned: boolean;
}): Asleep =>
  // Firefox for Android knows neither this nor `discard`, and no Firefox makes a pinned tab so.
  isFirefox() && browser.tabs.discard && !pinned ? { discarded: true, title } : {};

/** In ms. A tab that gets no answer by then just loads. */
const LONGEST = 20_000;

/**
 * Takes new tabs out of memory as soon as the browser knows their addresses, so that they load when someone looks at
 * them. A tab that is discarded earlier would be empty for ever. Firefox makes them so from the start.
 */
export const sleepOnceThere = async (ids: readonly number[]): Promise<void> => {
  const { discard, get, onUpdated } = browser.tabs;
  if (!discard) return;
  const waiting = new Set(ids);
  const look = (tab: Tab): void => {
    if (tab.id === undefined || !waiting.has(tab.id) || !isThere(tab)) return;
    waiting.delete(tab.id);
    // The browser may refuse, for example because someone looks at the tab by now.
    if (!tab.discarded && !tab.active) discard(tab.id).catch(() => {});
    if (waiting.size === 0) end();
  };
  const onChange = (_id: number, _change: unknown, tab: Tab): void => look(tab);
  const end = (): void => {
    clearTimeout(timer);
    onUpdated.removeListener(onChange);
  };
  const timer = setTimeout(end, LONGEST);
  onUpdated.addListener(onChange);
  // Some may be there already.
  for (const id of ids) await get(id).then(look, () => waiting.delete(id));
};

/** While a tab is on its way, Chrome gives its address as pending. */
const isThere = ({ url = "", pendingUrl }: Tab): boolean =>
  pendingUrl === undefined && /^https?:/.test(url);
