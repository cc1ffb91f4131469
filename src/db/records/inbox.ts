import { authorOf, type Editor } from "../../domain/people/account.ts";
import { addTabs, type TabDraft } from "../../domain/tasks/content.ts";
import { checkRestriction } from "../../domain/people/api-key.ts";
import {
  fits,
  itemsIn,
  MAX_FILLED,
  MOST_FILLED,
  type Payload,
  serialise,
} from "../../domain/base/payload.ts";
import { CHILD_LISTS } from "../../domain/tasks/task-fields.ts";
import { contentOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import type { Transaction } from "../transaction.ts";
import { insertTask } from "./edits.ts";
import { editRecord, newId } from "./write.ts";
import { showing } from "./folders.ts";

/** Files tabs without a task into the account's inbox task. Returns that task. */
export const fileInbox = async (
  tx: Transaction,
  tabs: readonly TabDraft[],
  editor: Editor,
): Promise<RecordRow> => {
  checkRestriction(editor.restriction, "file into the inbox");
  const inbox = await findInbox(tx);
  const filing = { author: authorOf(editor), now: tx.now, newId };
  const filled = inbox && addTabs(contentOf(inbox), tabs, filing);
  // A full inbox is left as it is, and a new one is started.
  if (!filled || !isWithinFill(filled.payload)) return beginInbox(tx, tabs, editor);
  const task = await editRecord(tx, inbox, filled, { loss: "edited", by: editor });
  return showing(tx, task, editor);
};

const isWithinFill = (payload: Payload): boolean =>
  fits(serialise(payload), MAX_FILLED) && itemsIn(payload, CHILD_LISTS) <= MOST_FILLED;

const beginInbox = async (
  tx: Transaction,
  tabs: readonly TabDraft[],
  editor: Editor,
): Promise<RecordRow> => {
  const made = await insertTask(tx, { title: INBOX_TITLE, tabs, notes: [] }, editor);
  await tx.inbox.set(made.id);
  return made;
};

/**
 * Finds the inbox by its stored id, not its title: a person's task with the same title is theirs. It is the
 * inbox as long as it is open, not in the trash, and keeps its title.
 */
export const findInbox = async (tx: Transaction): Promise<RecordRow | null> => {
  const id = await tx.inbox.find();
  if (id === null) return null;
  const [row = null] = await tx.records.find([{ table: "sync_tasks", id }]);
  return row?.open === 1 && row.title === INBOX_TITLE && Array.isArray(pagesOf(row)) ? row : null;
};

const pagesOf = (row: RecordRow): unknown => payloadOf(row)["pages"] ?? [];
