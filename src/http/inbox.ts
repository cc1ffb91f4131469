import { fileInbox } from "../db/inbox.ts";
import type { RecordRow } from "../db/records.ts";
import { tabsOf } from "../door/drafts.ts";
import type { Tabs } from "../door/fields.ts";
import { jsonList, type TextReply } from "../door/reply.ts";
import { type Ask, callerOf } from "./ask.ts";
import { lastTabs } from "./edits.ts";

/** `POST /inbox/tabs`: files tabs whose task is unknown. */
export const postInboxTabs = (ask: Ask<unknown, Tabs>): Promise<RecordRow> => {
  const caller = callerOf(ask);
  const tabs = tabsOf(ask.body, caller);
  return fileInbox(ask.store, caller.account.id, tabs, caller, ask.now);
};

/** The tabs that were filed, and into which task they went. */
export const showInboxTabs = (row: RecordRow, { body }: Ask<unknown, Tabs>): TextReply =>
  jsonList(
    "tabs",
    lastTabs(row, body.length).map((tab) => JSON.stringify(tab)),
    { task: JSON.parse(row.row) },
  );
