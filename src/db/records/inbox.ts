import { eq } from "drizzle-orm";
import { authorOf, type Editor } from "../../domain/people/caller.ts";
import { addTabs } from "../../domain/tasks/content.ts";
import type { TabDraft } from "../../domain/tasks/draft.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { checkRestriction } from "../../domain/people/restriction.ts";
import { fits, serialise } from "../../domain/base/payload.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import { contentOf, edited, insertTask } from "./edits.ts";
import { newId } from "./ids.ts";
import type { Store } from "../store.ts";
import { findRecord, payloadOf, type RecordRow } from "./records.ts";
import { editRecord } from "./save.ts";
import { account } from "../schema/records.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** Files tabs whose task is unknown into the account's inbox task. Returns that task. */
export const fileInbox = (
  store: Store,
  accountId: number,
  tabs: readonly TabDraft[],
  editor: Editor,
  now: Instant,
): Promise<RecordRow> => {
  checkRestriction(editor.restriction, "file into the inbox");
  return store.writer.write((tx) => {
    const inbox = findInbox(tx, accountId);
    const filled =
      inbox && addTabs(contentOf(inbox), tabs, { author: authorOf(editor), now, newId });
    // A full inbox is left as it is, and a new one begun.
    if (filled && fits(serialise(filled.payload)))
      return editRecord(tx, inbox, filled, edited(editor, now));
    const made = insertTask(tx, accountId, { title: INBOX_TITLE, tabs, notes: [] }, editor, now);
    tx.orm.update(account).set({ inboxTaskId: made.id }).where(eq(account.id, accountId)).run();
    return made;
  });
};

/**
 * The inbox is known by its id, not its title: a person's task of that name is theirs. It stays the
 * inbox as long as it is open, not in the trash, and still called so.
 */
const findInbox = (tx: Tx, accountId: number): RecordRow | null => {
  const id = tx.orm
    .select({ id: account.inboxTaskId })
    .from(account)
    .where(eq(account.id, accountId))
    .get()?.id;
  const row = id ? findRecord(tx.orm, accountId, "sync_tasks", id) : null;
  return row?.open === 1 && row.title === INBOX_TITLE && Array.isArray(pagesOf(row)) ? row : null;
};

const pagesOf = (row: RecordRow): unknown => payloadOf(row)["pages"] ?? [];
