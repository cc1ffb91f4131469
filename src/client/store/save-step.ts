import { formatInstant, type Instant, parseInstant } from "../../domain/base/instant.ts";
import { type Payload, sameJson } from "../../domain/base/payload.ts";
import { keyText, type Table } from "../../domain/base/record.ts";
import type { Desk, Edit } from "../edit.ts";
import { countChange, type Database, write, type Writing } from "./database.ts";
import {
  groundOf,
  keyOf,
  newRow,
  type PendingEdit,
  replacedOf,
  type Row,
  shownVersion,
  type Version,
  withEdit,
  withoutDoubles,
} from "./row.ts";

/** What a step did to one record. `before` is null if there was no record. */
export type Touched = {
  readonly table: Table;
  readonly id: string;
  readonly before: Version | null;
  readonly after: Version;
};

export type SavedStep = { readonly rows: readonly Row[]; readonly touched: readonly Touched[] };

/** Makes the edits of a step in one transaction. Resolves when they are on the disk. */
export const saveStep = (
  db: Database,
  edits: readonly Edit[],
  newId: () => string,
  now: Instant,
): Promise<SavedStep> =>
  write(db, async (tx) => {
    const drafts = new Map<string, Draft>();
    const desk = openDesk(tx, drafts, newId, now);
    for (const edit of edits) await edit(desk);
    const changed = [...drafts.values()].filter(isChanged);
    if (changed.length === 0) return { rows: [], touched: [] };
    const { pulse: order } = await countChange(tx);
    const updatedAt = formatInstant(stampFor(changed, now));
    const saved = changed.map((draft) => draftSaved(draft, updatedAt, order));
    const store = tx.objectStore("rows");
    await Promise.all(saved.map(({ row }) => store.put(row)));
    return { rows: saved.map(({ row }) => row), touched: saved.map(({ touched }) => touched) };
  });

/** A record as the step found it, and as the step's edits have left it so far. */
type Draft = { readonly row: Row; readonly payload: Payload; readonly isDeleted: boolean };

const openDesk = (
  tx: Writing,
  drafts: Map<string, Draft>,
  newId: () => string,
  now: Instant,
): Desk => {
  const find = async (table: Table, id: string): Promise<Draft | null> => {
    const draft = drafts.get(keyText({ table, id }));
    if (draft) return draft;
    const row = await tx.objectStore("rows").get([table, id]);
    const shown = row ? shownVersion(row) : null;
    return row && shown
      ? { row, payload: shown.payload, isDeleted: shown.deletedAt !== null }
      : null;
  };
  const put = async (table: Table, id: string, payload: Payload, isDeleted: boolean) => {
    const row = (await find(table, id))?.row ?? newRow(table, id);
    drafts.set(keyText({ table, id }), { row, payload, isDeleted });
  };
  return {
    now: formatInstant(now),
    newId,
    find: async (table, id) => {
      const draft = await find(table, id);
      return draft && { payload: draft.payload, isDeleted: draft.isDeleted };
    },
    read: async (table, id) => {
      const draft = await find(table, id);
      return draft === null || draft.isDeleted ? null : draft.payload;
    },
    write: (table, id, payload) => put(table, id, payload, false),
    remove: async (table, id, payload) => {
      const draft = await find(table, id);
      if (draft !== null && (payload !== undefined || !draft.isDeleted))
        await put(table, id, payload ?? draft.payload, true);
    },
  };
};

const isChanged = ({ row, payload, isDeleted }: Draft): boolean => {
  const shown = shownVersion(row);
  return (
    shown === null ||
    (shown.deletedAt !== null) !== isDeleted ||
    !sameJson(shown.payload, payload) ||
    // Saying once more what was refused is another try.
    row.refused !== null
  );
};

/**
 * When the person did it: later than each version that the step was made on, even if this device's clock is behind,
 * and later than the last edit of each record here, which may have said more than the server accepted. All records
 * of a step share it.
 */
const stampFor = (drafts: readonly Draft[], now: Instant): Instant => {
  const before = drafts.flatMap(({ row }) => [shownVersion(row)?.updatedAt, row.lastStamp]);
  const instants = before.flatMap((text) => parseInstant(text ?? "") ?? []);
  return Math.max(now, ...instants.map((instant) => instant + 1));
};

const draftSaved = (draft: Draft, updatedAt: string, order: number) => {
  const { row, isDeleted } = draft;
  const before = shownVersion(row);
  const payload = withoutDoubles(draft.payload);
  const deletedAt = isDeleted ? (before?.deletedAt ?? updatedAt) : null;
  const after = { payload, updatedAt, deletedAt };
  const seen = row.edit?.seen ?? row.refused?.seen ?? null;
  const replaced = replacedOf(row);
  const was = before?.payload ?? {};
  const made = {
    changedAt: { ...replaced?.changedAt, ...changedFields(was, payload, updatedAt) },
    order,
    seen,
    ...groundOf(row),
  };
  const edit: PendingEdit = { ...after, ...made, isSent: false, isResent: false };
  const { table, id } = row;
  return {
    row: { ...withEdit(row, edit), lastStamp: updatedAt },
    touched: { table, id, before, after },
  };
};

const changedFields = (before: Payload, after: Payload, at: string): Record<string, string> => {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...fields].filter((field) => !sameJson(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, at]));
};

/** Forgets a title that gave way. Returns the row, null if there is none. */
export const dropLost = (
  db: Database,
  table: Table,
  id: string,
  place: string,
): Promise<Row | null> =>
  write(db, async (tx) => {
    const rows = tx.objectStore("rows");
    const row = await rows.get([table, id]);
    if (row?.lost?.[place] === undefined) return row ?? null;
    await countChange(tx);
    const { lost, ...rest } = row;
    const left = Object.entries(lost).filter(([name]) => name !== place);
    const kept = left.length === 0 ? rest : { ...rest, lost: Object.fromEntries(left) };
    await rows.put(kept);
    return kept;
  });

/** Throws away an edit that the server refused. Returns the row, null if nothing of the record is left. */
export const dropRefused = (db: Database, table: Table, id: string): Promise<Row | null> =>
  write(db, async (tx) => {
    const rows = tx.objectStore("rows");
    const row = await rows.get([table, id]);
    if (!row?.refused) return row ?? null;
    await countChange(tx);
    const left = { ...row, refused: null };
    if (left.server === null) await rows.delete(keyOf(row));
    else await rows.put(left);
    return left.server === null ? null : left;
  });
