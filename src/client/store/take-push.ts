import { keyText } from "../../domain/base/record.ts";
import type { PushReply, ServerRow } from "../sync/wire.ts";
import { countChange, type Database, write } from "./database.ts";
import { keyOf, type PendingEdit, type Row, type Version, withoutEdit } from "./row.ts";

/** An edit that is sent. It is not the row's own `edit` if the person has made another one since. */
export type Sent = Pick<Row, "id" | "table"> & { readonly edit: PendingEdit };

/** Returns what is to be sent of each row that waits. */
export const toSend = (waiting: readonly Row[]): readonly Sent[] =>
  waiting.flatMap(({ table, id, edit }) => (edit ? [{ table, id, edit: edit.first ?? edit }] : []));

/**
 * Notes that edits are sent, before they are. Returns those to send: what was replaced meanwhile is not among them,
 * and its row waits for the next push.
 */
export const markSent = (db: Database, sent: readonly Sent[]): Promise<readonly Sent[]> =>
  write(db, async (tx) => {
    const store = tx.objectStore("rows");
    const held = await Promise.all(sent.map((one) => store.get(keyOf(one))));
    const left = sent.filter(({ edit }, at) => isFor(held[at], edit));
    const marked = held.flatMap((row, at): readonly Row[] =>
      row?.edit && !row.edit.isSent && row.edit.order === sent[at]?.edit.order
        ? [{ ...row, edit: { ...row.edit, isSent: true } }]
        : [],
    );
    await Promise.all(marked.map((row) => store.put(row)));
    return left;
  });

/** Whether this is what is to be sent of a row. */
const isFor = (row: Row | undefined, { order }: PendingEdit): boolean =>
  (row?.edit?.first ?? row?.edit)?.order === order;

/**
 * Stores what became of the edits that were sent, in their order. An edit that was made since waits for the next
 * push, and nothing else of its record is touched. Returns the rows that changed.
 */
export const takePush = (
  db: Database,
  sent: readonly Sent[],
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
      const reason = reasons.get(index);
      if (row?.edit?.first?.order === edit.order)
        changed.push({ ...row, edit: withoutFirst(row.edit, edit, reason !== undefined) });
      else if (row?.edit?.order === edit.order)
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

/** An edit whose `first` was answered. If the server refused that one, it is no version to name. */
const withoutFirst = (edit: PendingEdit, first: PendingEdit, isRefused: boolean): PendingEdit => ({
  ...edit,
  base: isRefused ? first.base : edit.base,
  first: null,
});

const confirmed = (row: Row, edit: PendingEdit, instead: ServerRow | undefined): Row => {
  const server = versionOf(instead ?? edit);
  const { createdBy, createdByKey = null } = instead ?? row;
  return { ...withoutEdit(row), server, createdBy, createdByKey };
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
