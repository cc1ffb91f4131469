import { keyText } from "../../domain/base/record.ts";
import type { PushReply, RejectedRow } from "../sync/wire.ts";
import { countChange, type Database, write } from "./database.ts";
import { changesOf, versionOf, whenMade, withServer } from "./rebase.ts";
import {
  firstOf,
  keyOf,
  NEW_STORE,
  type PendingEdit,
  type Row,
  type Version,
  withFirstOf,
  withoutEdit,
} from "./row.ts";
import { startOver } from "./start-over.ts";

/** An edit that is sent. It is not the row's own `edit` if the person has made another one since. */
export type Sent = Pick<Row, "id" | "table"> & {
  readonly edit: PendingEdit;
  /** What the server calls the version on which the edit was made; null if that is not known. */
  readonly rev: string | null;
};

/** Returns what is to be sent of each row that waits. */
export const toSend = (waiting: readonly Row[]): readonly Sent[] =>
  waiting.flatMap((row) => {
    if (!row.edit) return [];
    const { table, id, server, rev = null } = row;
    const edit = firstOf(row.edit);
    const isOnServer = edit.base === server?.updatedAt && !edit.isResent && !edit.adrift;
    return [{ table, id, edit, rev: isOnServer ? rev : null }];
  });

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
  row?.edit != null && firstOf(row.edit).order === order;

/** What became of the reply to a push. */
export type TakenPush =
  | { readonly kind: "stored"; readonly rows: readonly Row[] }
  /** The server was restored from a backup. Nothing of the reply was stored. Everything must be pushed. */
  | { readonly kind: "restored"; readonly rows: readonly Row[] };

/**
 * Stores what became of the edits that were sent, in their order. An edit that was made since waits for the next
 * push. Returns the rows that changed.
 */
export const takePush = (
  db: Database,
  sent: readonly Sent[],
  { epoch, revs, rejected, invalid }: PushReply,
  /** What the device had seen when it sent them. */
  since: string | null,
): Promise<TakenPush> =>
  write(db, async (tx): Promise<TakenPush> => {
    const known = (await tx.objectStore("meta").get("meta")) ?? NEW_STORE;
    if (epoch !== null && known.epoch !== null && known.epoch !== epoch)
      return { kind: "restored", rows: await startOver(tx, epoch) };
    const rejectedRows = new Map(rejected.map((row) => [keyText(row), row]));
    const stored = new Map(revs.map((one) => [keyText(one), one.rev]));
    const reasons = new Map(invalid.map(({ index, error }) => [index, error]));
    const store = tx.objectStore("rows");
    const { pulse } = await countChange(tx);
    const changed: Row[] = [];
    for (const [index, { edit, rev: _rev, ...key }] of sent.entries()) {
      const row = await store.get(keyOf(key));
      // It was replaced, or answered in another window.
      if (!row || !isFor(row, edit)) continue;
      const reason = reasons.get(index);
      changed.push(
        reason === undefined
          ? answered(row, edit, rejectedRows.get(keyText(key)) ?? stored.get(keyText(key)), pulse)
          : refused(row, edit, reason, edit.seen ?? since),
      );
    }
    await Promise.all(changed.map((row) => store.put(row)));
    return { kind: "stored", rows: changed };
  });

/** Returns a row after `sent`, its edit or what that was made on, was stored or rejected. */
const answered = (
  row: Row,
  sent: PendingEdit,
  /** The row that stands in its place; or else what the server calls it, if that is known. */
  said: RejectedRow | string | undefined,
  order: number,
): Row => {
  const isLast = row.edit?.order === sent.order;
  if (typeof said !== "object") {
    const stored = { ...row, rev: said ?? null };
    return isLast ? confirmed(stored, sent) : withFirst(stored, versionOf(sent));
  }
  const instead = said;
  // What the server had is not made again: only what was made on top of that.
  if (instead.hadIt)
    return withServer(isLast ? withoutEdit(row) : row, instead, versionOf(sent), order);
  if (!sent.isResent) return withServer(row, instead, row.server, order);
  // The edit on top of it says that it was made on this version, whatever the server has.
  return isLast ? withServer(row, instead, null, order) : adrift(row);
};

const adrift = (row: Row): Row => {
  const { edit } = withFirst(row, row.server);
  return { ...row, edit: edit && { ...edit, adrift: "new" } };
};

const confirmed = (row: Row, edit: PendingEdit): Row => ({
  ...withoutEdit(row),
  server: versionOf(edit),
  createdByKey: row.createdByKey ?? null,
});

/** The server has, or had, the version on which the edit was made. */
const withFirst = (row: Row, server: Version | null): Row => ({
  ...row,
  server,
  edit: row.edit && withFirstOf(row.edit, () => null),
});

/** If the server refused the version on which the next edit was made, that is no version to name. */
const refused = (row: Row, sent: PendingEdit, reason: string, seen: string | null): Row => {
  if (row.edit && row.edit.order !== sent.order)
    return { ...row, edit: withoutBase(row.edit, sent) };
  const kept = { ...versionOf(sent), ...whenMade(sent), reason, seen, base: sent.base };
  return { ...withoutEdit(row), refused: kept };
};

const withoutBase = (edit: PendingEdit, sent: PendingEdit): PendingEdit =>
  edit.first?.order === sent.order
    ? { ...edit, changedAt: changesOf(edit), base: sent.base, first: null }
    : { ...edit, first: edit.first && withoutBase(edit.first, sent) };
