import { keyText } from "../../domain/base/record.ts";
import type { PushReply, ServerRow } from "../sync/wire.ts";
import { countChange, type Database, write } from "./database.ts";
import { keyOf, type PendingEdit, type Row, type Version, withoutEdit } from "./row.ts";

/** A row as it was when its edit was sent. */
export type SentRow = Row & { readonly edit: PendingEdit };

export const isWaiting = (row: Row | undefined): row is SentRow => (row?.edit ?? null) !== null;

/**
 * Notes that the edits are sent, before they are. Returns the rows to send: an edit that was replaced meanwhile is
 * not among them, and waits for the next push.
 */
export const markSent = (db: Database, rows: readonly SentRow[]): Promise<readonly SentRow[]> =>
  write(db, async (tx) => {
    const store = tx.objectStore("rows");
    const held = await Promise.all(rows.map((row) => store.get(keyOf(row))));
    const left = held.flatMap((row, at): readonly SentRow[] =>
      isWaiting(row) && row.edit.order === rows[at]?.edit.order
        ? [{ ...row, edit: { ...row.edit, isSent: true } }]
        : [],
    );
    await Promise.all(left.map((row) => store.put(row)));
    return left;
  });

/**
 * Stores what became of the edits that were sent, in their order. An edit that was made during the push waits for
 * the next one, and nothing of its record is touched. Returns the rows that changed.
 */
export const takePush = (
  db: Database,
  sent: readonly SentRow[],
  { rejected, invalid }: PushReply,
  /** What the device had seen when it sent them. */
  since: string | null,
): Promise<readonly Row[]> =>
  write(db, async (tx) => {
    const rejectedRows = new Map(rejected.map((row) => [keyText(row), row]));
    const reasons = new Map(invalid.map(({ index, error }) => [index, error]));
    const store = tx.objectStore("rows");
    const changed: Row[] = [];
    for (const [index, { edit, ...key }] of sent.entries()) {
      const row = await store.get(keyOf(key));
      if (row?.edit?.order !== edit.order) continue;
      const reason = reasons.get(index);
      changed.push(
        reason === undefined
          ? confirmed(row, edit, rejectedRows.get(keyText(key)))
          : refused(row, edit, reason, edit.seen ?? since),
      );
    }
    if (changed.length > 0) await countChange(tx);
    await Promise.all(changed.map((row) => store.put(row)));
    return changed;
  });

const confirmed = (row: Row, edit: PendingEdit, instead: ServerRow | undefined): Row => {
  const server = versionOf(instead ?? edit);
  return { ...withoutEdit(row), server, createdBy: instead?.createdBy ?? row.createdBy };
};

const refused = (row: Row, edit: PendingEdit, reason: string, seen: string | null): Row => ({
  ...withoutEdit(row),
  refused: { ...versionOf(edit), reason, seen, base: edit.base },
});

export const versionOf = ({ payload, updatedAt, deletedAt }: Version): Version => ({
  payload,
  updatedAt,
  deletedAt,
});
