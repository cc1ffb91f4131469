import type { Caller } from "../../domain/people/caller.ts";
import { checkTabs, type TabDraft } from "../../domain/tasks/draft.ts";
import type { Tabs } from "./fields.ts";

/**
 * Returns tabs ready to be filed, with urls trimmed. Refuses urls from an API key that are not web addresses (422).
 */
export const tabsOf = (sent: Tabs, caller: Caller): readonly TabDraft[] => {
  const tabs = sent.map(({ url, title }) => ({ url: url.trim(), title: title || null }));
  checkTabs(tabs, caller);
  return tabs;
};
