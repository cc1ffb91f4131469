import { type Editor, mayRead } from "../../domain/people/account.ts";
import { checkRestriction } from "../../domain/people/api-key.ts";
import { invalid, taskNotFound } from "../../domain/base/refusal.ts";
import { checkSendsNone } from "../../domain/tasks/content.ts";
import { moveTabs } from "../../domain/tasks/move-tabs.ts";
import { contentOf, type RecordRow } from "../../domain/records/row.ts";
import type { Transaction } from "../transaction.ts";
import { writableTask } from "./edits.ts";
import { showing } from "./folders.ts";
import { findInbox } from "./inbox.ts";
import { editRecord, newId } from "./write.ts";

/** The word that can be sent in the place of the id of the inbox. */
export const INBOX_ID = "inbox";

/** Tabs to move: from which task (its id, or `inbox`), and each by its id or, without one, by its url. */
export type TabMove = { readonly from: string; readonly tabs: readonly string[] };

/** Both tasks after a move; the tabs are the last ones of the task that they went to. `id` is that one's. */
export type MovedTabs = { readonly id: string; readonly from: RecordRow; readonly task: RecordRow };

/**
 * Moves tabs to the end of a task, in one commit. Either task may be `inbox`. Refuses if one of them is missing or out of
 * the editor's reach (404), or if a tab is not there (422).
 */
export const moveTabsTo = async (
  tx: Transaction,
  id: string,
  { from, tabs }: TabMove,
  editor: Editor,
): Promise<MovedTabs> => {
  checkRestriction(editor.restriction, "write to a task");
  const target = await writableTask(tx, await meant(tx, id), editor);
  const source = await writableTask(tx, await meant(tx, from), editor);
  if (source.id === target.id)
    throw invalid("These tabs are in that task already. Name the task that they are to leave.");
  // A key that cannot read must not learn by guessing which urls are there.
  const naming = { names: tabs, byUrl: mayRead(editor) };
  const moved = moveTabs(contentOf(source), contentOf(target), naming, () => newId(tx.now));
  if (editor.kind === "api_key") checkSendsNone(moved.to);
  const cause = { loss: "edited", by: editor } as const;
  // An undo begins with what was done last: it takes the tabs back before it looks at the task that they came to.
  const task = await editRecord(tx, target, moved.to, cause);
  const left = await editRecord(tx, source, moved.from, cause);
  return {
    id: task.id,
    from: await showing(tx, left, editor),
    task: await showing(tx, task, editor),
  };
};

/** The id of the task that is meant. */
const meant = async (tx: Transaction, id: string): Promise<string> => {
  if (id !== INBOX_ID) return id;
  const inbox = await findInbox(tx);
  if (inbox === null) throw taskNotFound();
  return inbox.id;
};
