import type { Editor } from "../../domain/people/account.ts";
import { checkRestriction } from "../../domain/people/api-key.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { comparable } from "../../domain/tasks/address.ts";
import type { Tab } from "../../domain/tasks/children.ts";
import type { TabDraft } from "../../domain/tasks/content.ts";
import type { Transaction } from "../transaction.ts";
import { fileTabs, writableTask } from "./edits.ts";
import { showing } from "./folders.ts";
import { fileInbox, findInbox } from "./inbox.ts";
import { taskChildren } from "./lookup.ts";

/** A tab of the task; `existing` if it was there before, and what was sent is not filed again. */
type FiledTab = Tab & { readonly existing?: true };

/** The task, and the tabs that were sent, in their order, as they are in it now. `id` is the task's. */
export type FiledTabs = {
  readonly id: string;
  readonly row: RecordRow;
  readonly tabs: readonly FiledTab[];
};

/** Appends the tabs whose address the task does not hold yet. Fragments and tracking parameters make no difference. */
export const fileNewTabs = async (
  tx: Transaction,
  id: string,
  sent: readonly TabDraft[],
  editor: Editor,
): Promise<FiledTabs> => {
  checkRestriction(editor.restriction, "write to a task");
  const task = await writableTask(tx, id, editor);
  return fileNew(sent, await showing(tx, task, editor), (fresh) => fileTabs(tx, id, fresh, editor));
};

/** The same for the inbox. */
export const fileNewInbox = async (
  tx: Transaction,
  sent: readonly TabDraft[],
  editor: Editor,
): Promise<FiledTabs> => {
  checkRestriction(editor.restriction, "file into the inbox");
  const inbox = await findInbox(tx);
  const before = inbox && (await showing(tx, inbox, editor));
  return fileNew(sent, before, (fresh) => fileInbox(tx, fresh, editor));
};

const fileNew = async (
  sent: readonly TabDraft[],
  before: RecordRow | null,
  file: (fresh: readonly TabDraft[]) => Promise<RecordRow>,
): Promise<FiledTabs> => {
  const held = new Map(
    (before === null ? [] : taskChildren(before).tabs)
      .toReversed()
      .map((tab) => [comparable(tab.url), tab]),
  );
  const fresh = new Map<string, TabDraft>();
  for (const tab of sent) {
    const address = comparable(tab.url);
    if (!held.has(address) && !fresh.has(address)) fresh.set(address, tab);
  }
  const row = before !== null && fresh.size === 0 ? before : await file([...fresh.values()]);
  const all = taskChildren(row).tabs;
  const made = all.slice(all.length - fresh.size);
  const filed = new Map([...fresh.keys()].map((address, at) => [address, made[at]]));
  const seen = new Set<string>();
  const tabs = sent.flatMap(({ url }): readonly FiledTab[] => {
    const address = comparable(url);
    const tab = held.get(address) ?? filed.get(address);
    const isExisting = held.has(address) || seen.has(address);
    seen.add(address);
    if (tab === undefined) return [];
    return [isExisting ? { ...tab, existing: true } : tab];
  });
  return { id: row.id, row, tabs };
};
