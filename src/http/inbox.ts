import { fileInbox } from "../db/records/inbox.ts";
import type { RecordRow } from "../domain/records/row.ts";
import { tabsOf } from "../domain/tasks/draft.ts";
import type { Tabs } from "../server/tasks/fields.ts";
import { type ApiContext, callerOf } from "./context.ts";
import type { Write } from "./route.ts";

/** `POST /inbox/tabs`: files tabs without a task. */
export const postInboxTabs = (context: ApiContext<unknown, Tabs>): Write<RecordRow> => {
  const caller = callerOf(context);
  const tabs = tabsOf(context.body, caller);
  return (tx) => fileInbox(tx, tabs, caller);
};
