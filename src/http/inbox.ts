import { fileInbox } from "../db/records/inbox.ts";
import type { RecordRow } from "../domain/sync/row.ts";
import { tabsOf } from "../server/tasks/drafts.ts";
import type { Tabs } from "../server/tasks/fields.ts";
import { jsonList, type TextReply } from "../server/reply.ts";
import { type ApiContext, callerOf } from "./context.ts";
import { lastTabs } from "./edits.ts";
import type { Write } from "./route.ts";

/** `POST /inbox/tabs`: files tabs without a task. */
export const postInboxTabs = (context: ApiContext<unknown, Tabs>): Write<RecordRow> => {
  const caller = callerOf(context);
  const tabs = tabsOf(context.body, caller);
  return (tx) => fileInbox(tx, tabs, caller);
};

/** Replies with the tabs that were filed, and the task that received them. */
export const showInboxTabs = (row: RecordRow, { body }: ApiContext<unknown, Tabs>): TextReply =>
  jsonList(
    "tabs",
    lastTabs(row, body.length).map((tab) => JSON.stringify(tab)),
    { task: JSON.parse(row.row) },
  );
