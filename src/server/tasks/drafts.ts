import type { Caller } from "../../domain/people/caller.ts";
import { checkTabs, type TabDraft } from "../../domain/tasks/draft.ts";
import type { Tabs } from "./fields.ts";

/** Tabs as they are filed. Refuses those of a key that are no web addresses. */
export const tabsOf = (sent: Tabs, caller: Caller): readonly TabDraft[] => {
  const tabs = sent.map(({ url, title }) => ({ url: url.trim(), title: title || null }));
  checkTabs(tabs, caller);
  return tabs;
};
