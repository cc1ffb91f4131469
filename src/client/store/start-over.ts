import { countChange, type Writing } from "./database.ts";
import { versionOf, whenMade } from "./rebase.ts";
import { type Made, type PendingEdit, type Row, type Version, withEdit } from "./row.ts";

/**
 * Forgets what the server had given before it was restored from a backup, and lets everything that is held wait to be
 * pushed: what nobody edited, and edits on top of that, also those that it refused. Returns the rows.
 */
export const startOver = async (tx: Writing, epoch: string): Promise<readonly Row[]> => {
  const { pulse: first } = await countChange(tx, { since: null, epoch });
  const { pulse: next } = await countChange(tx);
  const store = tx.objectStore("rows");
  const rows = (await store.getAll()).map((row) => startedOver(row, first, next));
  await Promise.all(rows.map((row) => store.put(row)));
  return rows;
};

/** `first` is the order of a version that is sent again, `next` that of an edit on top of it. */
const startedOver = (held: Row, first: number, next: number): Row => {
  const row = { ...held, rev: null };
  const { server, edit, refused } = row;
  const again = server && resent(server, first);
  if (edit) return { ...row, edit: onResent(edit, again) };
  if (!refused) return again ? withEdit(row, again) : row;
  // Alone, it would be made again on the backup's version, without what only the lost one has.
  return again
    ? withEdit(row, onLost(refused, again, next))
    : { ...row, refused: { ...refused, seen: null } };
};

/** Returns an edit that was refused, to be sent once more after what it was made on. */
const onLost = (refused: Made, first: PendingEdit, order: number): PendingEdit => ({
  ...versionOf(refused),
  ...whenMade(refused),
  order,
  seen: null,
  base: first.updatedAt,
  isSent: false,
  first,
  isResent: false,
});

/** Returns the edit, to be sent after what it was made on. */
const onResent = (edit: PendingEdit, resentOne: PendingEdit | null): PendingEdit => {
  const first = edit.first ? onResent(edit.first, resentOne) : edit.isResent ? null : resentOne;
  return { ...edit, seen: null, first };
};

/** A version that nobody edited, to be sent as it is. */
const resent = (server: Version, order: number): PendingEdit => ({
  ...versionOf(server),
  order,
  seen: null,
  base: server.updatedAt,
  isSent: false,
  first: null,
  isResent: true,
});
