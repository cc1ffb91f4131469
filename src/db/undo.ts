import { setImmediate } from "node:timers/promises";
import { and, asc, eq, gte, lte, max, sql } from "drizzle-orm";
import { formatInstant, type Instant } from "../instant.ts";
import { deserialise, textField } from "../payload.ts";
import type { Table } from "../record.ts";
import { planUndo, type Undoing, type UndoPlan } from "../undo.ts";
import type { Store } from "./open.ts";
import { type Orm, prepared } from "./orm.ts";
import { filedOf, findRecord, type RecordRow } from "./records.ts";
import { putBack } from "./restoring.ts";
import { record } from "./schema.ts";
import { version } from "./schema.history.ts";
import { walkBack } from "./versions.ts";

/** Whose acts are undone: those of a key, from a time on, up to a version (`upTo`) that was looked at. */
export type UndoRequest = {
  readonly keyId: string;
  readonly since: Instant;
  readonly upTo: number;
};

/** What undoing comes to for one record. */
export type UndoneRecord = {
  readonly table: Table;
  readonly id: string;
  readonly title: string;
  readonly undoings: readonly Undoing[];
};

const selectTouched = prepared((orm) =>
  orm
    .select({
      table: version.table,
      id: version.recordId,
      first: sql<number>`min(${version.id})`,
    })
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.byId, sql.placeholder("keyId")),
        eq(version.byKind, "api_key"),
        gte(version.at, sql.placeholder("since")),
        lte(version.id, sql.placeholder("upTo")),
      ),
    )
    .groupBy(version.table, version.recordId)
    .orderBy(asc(version.table), asc(version.recordId))
    .prepare(),
);

/** The newest version of the account: a preview says up to where it looked. */
export const newestVersion = async (store: Store, accountId: number): Promise<number> =>
  store.reader
    .select({ id: max(version.id) })
    .from(version)
    .where(eq(version.accountId, accountId))
    .get()?.id ?? 0;

/** What undoing would come to now, record by record; nothing is changed. Tasks first, then folders. */
export const previewUndo = async (
  store: Store,
  accountId: number,
  request: UndoRequest,
): Promise<readonly UndoneRecord[]> => {
  const records: UndoneRecord[] = [];
  const leaving = new Set<string>();
  for (const { table, id, first } of touched(store.reader, accountId, request)) {
    const row = findRecord(store.reader, accountId, table, id);
    const plan = row && planFor(store.reader, row, { ...request, first }, leaving);
    if (plan) records.push(undoneRecord(row, plan));
    if (plan && leavesFolder(row, plan)) leaving.add(id);
    await setImmediate();
  }
  return records;
};

/**
 * Undoes what a key did, as edits that every device takes; what somebody changed since stays. Returns what
 * was undone and what was not, record by record. Each record is one transaction: what a stop leaves over can
 * be undone by asking again.
 */
export const undoKey = async (
  store: Store,
  accountId: number,
  request: UndoRequest,
  now: Instant,
): Promise<readonly UndoneRecord[]> => {
  const records: UndoneRecord[] = [];
  for (const { table, id, first } of touched(store.reader, accountId, request)) {
    const undone = await store.writer.write((tx) => {
      const row = findRecord(tx.orm, accountId, table, id);
      const plan = row && planFor(tx.orm, row, { ...request, first }, NOBODY);
      if (!plan) return null;
      const { target } = plan;
      const deletedAt = target?.isDeleted ? formatInstant(now) : null;
      if (target) putBack(tx, row, target.payload, now, { loss: "undone", deletedAt });
      return undoneRecord(row, plan);
    });
    if (undone) records.push(undone);
  }
  return records;
};

const NOBODY: ReadonlySet<string> = new Set();

/** Tasks before folders: a folder goes only when nothing lies in it any more. */
const touched = (orm: Orm, accountId: number, { keyId, since, upTo }: UndoRequest) =>
  selectTouched(orm)
    .all({ accountId, keyId, since, upTo })
    .toSorted((a, b) => Number(a.table === "sync_projects") - Number(b.table === "sync_projects"));

const undoneRecord = (row: RecordRow, { undoings }: UndoPlan): UndoneRecord => ({
  table: row.table,
  id: row.id,
  title: titleOf(row),
  undoings,
});

const titleOf = ({ payload, title }: RecordRow): string =>
  title || (textField(deserialise(payload), "title") ?? "");

/** Null where nothing that the key did is left to speak of: the record is deleted, or all was undone. */
const planFor = (
  orm: Orm,
  row: RecordRow,
  { keyId, since, upTo, first }: UndoRequest & { readonly first: number },
  leaving: ReadonlySet<string>,
): UndoPlan | null => {
  if (row.deletedAt !== null) return null;
  const acts = [];
  for (const { version: one, refused, before, after } of walkBack(orm, row)) {
    if (one.id < first) break;
    if (refused) continue;
    const ours = one.byKind === "api_key" && one.byId === keyId;
    const mine = ours && one.at >= since && one.id <= upTo;
    acts.push({ mine, at: one.at, by: { kind: one.byKind, id: one.byId }, before, after });
  }
  const plan = planUndo(deserialise(row.payload), filedOf(row), acts);
  if (plan.undoings.every(({ state }) => state === "gone")) return null;
  return row.table === "sync_projects" && holdsOthers(orm, row, leaving) ? kept(plan) : plan;
};

const selectInside = prepared((orm) =>
  orm
    .select({ id: record.id })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.folderId, sql.placeholder("id")),
        sql`${record.table} = 'sync_tasks' and ${record.deletedAt} is null`,
      ),
    )
    .prepare(),
);

/** Whether a task will lie in another folder, or in none, once it is undone. */
const leavesFolder = ({ folderId }: RecordRow, { target }: UndoPlan): boolean =>
  target !== null && (target.isDeleted || target.payload["project_id"] !== folderId);

const holdsOthers = (
  orm: Orm,
  { accountId, id }: RecordRow,
  leaving: ReadonlySet<string>,
): boolean =>
  selectInside(orm)
    .all({ accountId, id })
    .some((task) => !leaving.has(task.id));

/** A folder in which tasks lie is not taken away from under them. */
const kept = ({ undoings }: UndoPlan): UndoPlan => ({
  undoings: undoings.map((undoing) => ({ ...undoing, state: "changed", changedBy: null })),
  target: null,
});
