import * as restoring from "../../src/db/history/restore.ts";
import * as edits from "../../src/db/records/edits.ts";
import * as folders from "../../src/db/records/folders.ts";
import * as inbox from "../../src/db/records/inbox.ts";
import * as push from "../../src/db/records/push.ts";
import type { Sender } from "../../src/db/records/push.ts";
import { parseChanges } from "../../src/domain/sync/change.ts";
import type { Store } from "../../src/db/store.ts";
import type { Transaction } from "../../src/db/transaction.ts";
import type { Instant } from "../../src/domain/base/instant.ts";
import type { RecordKey } from "../../src/domain/base/record.ts";

/** A rule that is given a transaction of its own: its arguments stand between the account and the time. */
const alone =
  <Arguments extends readonly unknown[], Value>(
    rule: (tx: Transaction, ...values: Arguments) => Promise<Value>,
  ) =>
  (
    store: Store,
    accountId: number,
    ...values: [...values: Arguments, now: Instant]
  ): Promise<Value> => {
    const now = values.at(-1) as Instant;
    const given = values.slice(0, -1) as unknown as Arguments;
    return store.transaction(accountId, now, (tx) => rule(tx, ...given));
  };

/** A push as it comes, of a device that is not known of (null) or is. */
export const pushChanges = alone((tx, sender: Sender | null, values: readonly unknown[]) =>
  push.pushChanges(tx, sender, parseChanges(values)),
);
export const createTask = alone(edits.createTask);
export const patchTask = alone(edits.patchTask);
export const fileTabs = alone(edits.fileTabs);
export const addNote = alone(edits.addNote);
export const createFolder = alone(folders.createFolder);
export const fileInbox = alone(inbox.fileInbox);
export const restoreVersion = alone(restoring.restoreVersion);
export const restoreDeleted = alone((tx, table: RecordKey["table"], id: string) =>
  restoring.restoreDeleted(tx, { table, id }),
);
