import type { Caller } from "../../domain/people/caller.ts";
import { checkTabs, type TabDraft } from "../../domain/tasks/draft.ts";
import type { Tabs } from "./fields.ts";

/** Returns the tabs to file. Refuses tabs that are not web addresses, if the caller is an API key. */
export const tabsOf = (sent: Tabs, caller: Caller): readonly TabDraft[] => {
  const tabs = sent.map(({ url, title }) => ({ url: url.trim(), title: title || null }));
  checkTabs(tabs, caller);
  return tabs;
};
