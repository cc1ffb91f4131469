import { type Contents, countChange, type Database, readAll, write } from "./database.ts";
import { type Meta, newRow, type PendingEdit, type Row } from "./row.ts";

/**
 * Saves again, in a store that the browser has emptied, what only this window still has: edits that wait or were
 * refused, and titles that gave way. They say what the device had seen when they were made, so that what others did since is not undone.
 * Whether an edit was sent, only the store knew, so each may have been.
 * Everything else comes again from the server. Returns what the store holds now.
 */
export const rescue = async (
  db: Database,
  unsettled: readonly Row[],
  { pulse, since }: Meta,
): Promise<Contents> => {
  await write(db, async (tx) => {
    const store = tx.objectStore("rows");
    await countChange(tx, { pulse });
    await Promise.all(unsettled.map((row) => store.put(asSeen(row, since))));
  });
  return readAll(db);
};

const asSeen = (row: Row, since: string | null): Row => {
  const { edit, refused } = row;
  return {
    ...newRow(row.table, row.id),
    // What the edit was made on.
    server: row.server,
    rev: row.rev ?? null,
    createdBy: row.createdBy,
    createdByKey: row.createdByKey ?? null,
    lastStamp: row.lastStamp,
    edit: edit && editAsSeen(edit, since),
    refused: refused && { ...refused, seen: refused.seen ?? since },
    ...(edit ? { waits: edit.order } : {}),
    ...(row.lost ? { lost: row.lost } : {}),
  };
};

const editAsSeen = (edit: PendingEdit, since: string | null): PendingEdit => ({
  ...edit,
  seen: edit.seen ?? since,
  isSent: edit.first === null,
  first: edit.first && editAsSeen(edit.first, since),
});
