import { computed, signal } from "@preact/signals";
import { browser, type Tab, type TabGroup } from "../browser/api.ts";
import { savableUrl } from "../save/savable.ts";
import { urlOf } from "../save/tabs.ts";

type Strip = { readonly tabs: readonly Tab[]; readonly groups: readonly TabGroup[] };

const strip = signal<Strip>({ tabs: [], groups: [] });

/** The tabs of the window that the panel is in, as its tab strip has them. */
export const openTabs = computed(() => strip.value.tabs);

/** A stretch of the strip that is in the same group, or in none. */
export type OpenRun = { readonly group: TabGroup | null; readonly tabs: readonly Tab[] };

export const openRuns = computed((): readonly OpenRun[] => {
  const runs: { readonly group: TabGroup | null; readonly tabs: Tab[] }[] = [];
  for (const tab of strip.value.tabs) {
    const group = strip.value.groups.find(({ id }) => id === tab.groupId) ?? null;
    const last = runs.at(-1);
    if (last?.group === group) last.tabs.push(tab);
    else runs.push({ group, tabs: [tab] });
  }
  return runs;
});

export const canSave = (tab: Tab): boolean => savableUrl(urlOf(tab)) !== null;

const read = async (): Promise<void> => {
  const tabs = await browser.tabs.query({ currentWindow: true });
  const windowId = tabs[0]?.windowId;
  const groups =
    windowId === undefined ? [] : ((await browser.tabGroups?.query({ windowId })) ?? []);
  strip.value = { tabs, groups };
};

let isDue = false;

/** Many events come at once, for example when a window is restored. They are answered together. */
const readSoon = (): void => {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    void read().catch(() => {});
  }, 50);
};

/** Follows the tab strip from now on. Resolves once the tabs are known. */
export const followStrip = (): Promise<void> => {
  const { tabs, tabGroups } = browser;
  tabs.onActivated.addListener(readSoon);
  tabs.onAttached.addListener(readSoon);
  tabs.onCreated.addListener(readSoon);
  tabs.onDetached.addListener(readSoon);
  tabs.onMoved.addListener(readSoon);
  tabs.onRemoved.addListener(readSoon);
  tabs.onUpdated.addListener(readSoon);
  tabGroups?.onUpdated.addListener(readSoon);
  return read();
};
