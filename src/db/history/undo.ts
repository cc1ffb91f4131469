import { setImmediate } from "node:timers/promises";
import { and, asc, eq, gte, max, sql } from "drizzle-orm";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { SOMEONE } from "../../domain/people/caller.ts";
import { textField } from "../../domain/base/payload.ts";
import { andThen, type MaybePromise } from "../../domain/base/maybe-promise.ts";
import type { RecordKey, Table } from "../../domain/base/record.ts";
import { columnField } from "../../domain/tasks/task.ts";
import { startUndo, type Undoing, type UndoPlan } from "../../domain/history/undo.ts";
import { filedOf, payloadOf, type RecordRow } from "../../domain/sync/row.ts";
import { editRecord } from "../records/write.ts";
import { version } from "../schema/history.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { findRecord } from "../sqlite/records/find.ts";
import { tasksInFolder } from "../sqlite/records/folders.ts";
import type { Store } from "../store.ts";
import type { Folders, History, Transaction } from "../transaction.ts";
import { versionsOf } from "./history.ts";
import { walkBack } from "./walk.ts";

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
  const reads = {
    history: versionsOf(store, accountId),
    folders: { tasks: (id: string) => tasksInFolder(store.reader, accountId, id) },
  };
  for (const { table, id, first } of touched(store.reader, accountId, request)) {
    const row = findRecord(store.reader, accountId, table, id);
    const plan = row && (await planFor(reads, row, { ...request, first }, moves));
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
    const undone = await store.transaction(accountId, now, (tx) =>
      undoRecord(tx, { table, id }, { ...request, first }),
    );
    if (undone) records.push(undone);
  }
  return records;
};

/** Null where there is nothing to undo. */
const undoRecord = (
  tx: Transaction,
  key: RecordKey,
  request: RecordRequest,
): MaybePromise<UndoneRecord | null> =>
  andThen(tx.records.find([key]), ([row = null]) =>
    andThen(row && planFor(tx, row, request, DONE), (plan) => {
      if (!row || !plan) return null;
      const { target } = plan;
      const deletedAt = target?.isDeleted ? formatInstant(tx.now) : null;
      const cause = { loss: "undone", by: SOMEONE } as const;
      const edited = target && editRecord(tx, row, { ...target, deletedAt }, cause);
      return andThen(edited, () => undoneRecord(row, plan));
    }),
  );

/** What is asked of one record: `first` is the key's first version of it that counts. */
type RecordRequest = UndoRequest & { readonly first: number };

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

/** What a plan is made from. */
type Reads = {
  readonly history: Pick<History, "before">;
  readonly folders: Pick<Folders, "tasks">;
};

/** Null where nothing that the key did is left to speak of: the record is deleted, or all was undone. */
const planFor = (
  reads: Reads,
  row: RecordRow,
  request: RecordRequest,
  moves: Moves,
): MaybePromise<UndoPlan | null> => {
  if (row.deletedAt !== null) return null;
  return andThen(planOf(reads.history, row, request), (plan) => {
    if (plan.undoings.every(({ state }) => state === "gone")) return null;
    if (row.table !== "sync_projects") return plan;
    return andThen(holdsTasks(reads, row.id, moves), (holds) => (holds ? kept(plan) : plan));
  });
};

/** Plans by what was done to a record since the key's first act that is asked about. */
const planOf = (
  history: Reads["history"],
  row: RecordRow,
  { keyId, since, upTo, first }: RecordRequest,
): MaybePromise<UndoPlan> => {
  const planning = startUndo(payloadOf(row), filedOf(row));
  const walked = walkBack(history, row, ({ version: one, refused, before, after }) => {
    if (one.id < first) return true;
    const { at, loss, byKind: kind, byId: id } = one;
    const mine = kind === "api_key" && id === keyId && at >= since && one.id <= upTo;
    const undoes = loss === "undone";
    if (!refused) planning.take({ mine, undoes, at, by: { kind, id }, before, after });
    return false;
  });
  return andThen(walked, planning.plan);
};

/** The folder in which a task will lie; null for none, or for a task that will be deleted. */
const folderOf = ({ payload, isDeleted }: NonNullable<UndoPlan["target"]>): string | null =>
  isDeleted ? null : columnField(payload, "project_id");

const holdsTasks = ({ folders }: Reads, folderId: string, moves: Moves): MaybePromise<boolean> =>
  [...moves.values()].includes(folderId) ||
  andThen(folders.tasks(folderId), (tasks) => tasks.some((id) => !moves.has(id)));

/** A folder in which tasks lie is not taken away from under them. */
const kept = ({ undoings }: UndoPlan): UndoPlan => ({
  undoings: undoings.map((undoing) => ({ ...undoing, state: "changed", changedBy: null })),
  target: null,
});
