import { browser, type Tab } from "../browser/api.ts";

/** Closes tabs. If nothing else would be open, opens an empty tab first, so that the browser stays. */
export const closeTabs = async (tabs: readonly Tab[]): Promise<void> => {
  const ids = tabs.flatMap(({ id }) => id ?? []);
  const open = await browser.tabs.query({});
  const [first] = tabs;
  if (first && open.every(({ id }) => id !== undefined && ids.includes(id)))
    await browser.tabs.create({ url: NEW_TAB, active: true, windowId: first.windowId });
  // One that someone has closed meanwhile must not keep the others open.
  await Promise.all(ids.map((id) => browser.tabs.remove([id]).catch(() => {})));
};

const NEW_TAB = "about:blank";
