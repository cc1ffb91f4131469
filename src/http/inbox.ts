import { fileInbox } from "../db/inbox.ts";
import { taskChildren } from "../db/tasks.ts";
import { checkTabs } from "../draft.ts";
import { type Ask, callerOf } from "./ask.ts";
import { jsonList, type Reply } from "../door/reply.ts";
import type { TabsBody } from "./schemas.ts";
import { tabOf } from "./tasks.ts";

/** `POST /inbox/tabs`: files tabs whose task is unknown. Says into which task they went. */
export const postInboxTabs = async (ask: Ask<unknown, TabsBody>): Promise<Reply> => {
  const caller = callerOf(ask);
  const tabs = ask.body.map(tabOf);
  checkTabs(tabs, caller);
  const row = await fileInbox(ask.store, caller.account.id, tabs, caller, ask.now);
  const filed = taskChildren(row).tabs.slice(-tabs.length);
  return jsonList(
    "tabs",
    filed.map((tab) => JSON.stringify(tab)),
    { task: JSON.parse(row.row) },
  );
};
