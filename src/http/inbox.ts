import { fileInbox } from "../db/records/inbox.ts";
import type { RecordRow } from "../db/records/records.ts";
import { tabsOf } from "../server/tasks/drafts.ts";
import type { Tabs } from "../server/tasks/fields.ts";
import { jsonList, type TextReply } from "../server/reply.ts";
import { type ApiContext, callerOf } from "./context.ts";
import { lastTabs } from "./edits.ts";

/** `POST /inbox/tabs`: files tabs whose task is unknown. */
export const postInboxTabs = (context: ApiContext<unknown, Tabs>): Promise<RecordRow> => {
  const caller = callerOf(context);
  const tabs = tabsOf(context.body, caller);
  return fileInbox(context.store, caller.account.id, tabs, caller, context.now);
};

/** The tabs that were filed, and into which task they went. */
export const showInboxTabs = (row: RecordRow, { body }: ApiContext<unknown, Tabs>): TextReply =>
  jsonList(
    "tabs",
    lastTabs(row, body.length).map((tab) => JSON.stringify(tab)),
    { task: JSON.parse(row.row) },
  );
