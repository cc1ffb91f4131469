import { setImmediate } from "node:timers/promises";
import { and, asc, eq, gte, max, sql } from "drizzle-orm";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { SOMEONE } from "../../domain/people/caller.ts";
import { textField } from "../../domain/base/payload.ts";
import type { Table } from "../../domain/base/record.ts";
import { columnField } from "../../domain/tasks/task.ts";
import { type Act, planUndo, type Undoing, type UndoPlan } from "../../domain/history/undo.ts";
import type { Store } from "../store.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { filedOf, findRecord, payloadOf, type RecordRow } from "../records/records.ts";
import { editRecord } from "../records/save.ts";
import { record } from "../schema/records.ts";
import { version } from "../schema/history.ts";
import { walkBack } from "./history.ts";

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
        // A literal: SQLite cannot see through a parameter that a partial index is meant.
        sql`${version.byKind} = 'api_key'`,
        gte(version.at, sql.placeholder("since")),
        // Not by the index of all the account's versions, of which a key's may be the least part.
        sql`+${version.id} <= ${sql.placeholder("upTo")}`,
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
  const moves = new Map<string, string | null>();
  for (const { table, id, first } of touched(store.reader, accountId, request)) {
    const row = findRecord(store.reader, accountId, table, id);
    const plan = row && planFor(store.reader, row, { ...request, first }, moves);
    if (plan) records.push(undoneRecord(row, plan));
    if (row && plan?.target) moves.set(id, folderOf(plan.target));
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
      const plan = row && planFor(tx.orm, row, { ...request, first }, DONE);
      if (!plan) return null;
      const { target } = plan;
      const deletedAt = target?.isDeleted ? formatInstant(now) : null;
      if (target)
        editRecord(tx, row, { ...target, deletedAt }, { loss: "undone", by: SOMEONE, now });
      return undoneRecord(row, plan);
    });
    if (undone) records.push(undone);
  }
  return records;
};

/** In which folder each task will lie, of those that are not undone yet but will be. */
type Moves = ReadonlyMap<string, string | null>;

const DONE: Moves = new Map();

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

const titleOf = (row: RecordRow): string => row.title || (textField(payloadOf(row), "title") ?? "");

/** Null where nothing that the key did is left to speak of: the record is deleted, or all was undone. */
const planFor = (
  orm: Orm,
  row: RecordRow,
  request: UndoRequest & { readonly first: number },
  moves: Moves,
): UndoPlan | null => {
  if (row.deletedAt !== null) return null;
  const plan = planUndo(payloadOf(row), filedOf(row), actsOn(orm, row, request));
  if (plan.undoings.every(({ state }) => state === "gone")) return null;
  return row.table === "sync_projects" && holdsTasks(orm, row, moves) ? kept(plan) : plan;
};

/** What was done to a record since the key's first act that is asked about, the newest first. */
function* actsOn(
  orm: Orm,
  row: RecordRow,
  { keyId, since, upTo, first }: UndoRequest & { readonly first: number },
): Generator<Act> {
  for (const { version: one, refused, before, after } of walkBack(orm, row)) {
    if (one.id < first) return;
    if (refused) continue;
    const { at, loss, byKind: kind, byId: id } = one;
    const mine = kind === "api_key" && id === keyId && at >= since && one.id <= upTo;
    yield { mine, undoes: loss === "undone", at, by: { kind, id }, before, after };
  }
}

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

/** The folder in which a task will lie; null for none, or for a task that will be deleted. */
const folderOf = ({ payload, isDeleted }: NonNullable<UndoPlan["target"]>): string | null =>
  isDeleted ? null : columnField(payload, "project_id");

const holdsTasks = (orm: Orm, { accountId, id }: RecordRow, moves: Moves): boolean =>
  [...moves.values()].includes(id) ||
  selectInside(orm)
    .all({ accountId, id })
    .some((task) => !moves.has(task.id));

/** A folder in which tasks lie is not taken away from under them. */
const kept = ({ undoings }: UndoPlan): UndoPlan => ({
  undoings: undoings.map((undoing) => ({ ...undoing, state: "changed", changedBy: null })),
  target: null,
});
