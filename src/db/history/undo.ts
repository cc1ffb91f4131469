import { mapInOrder } from "../../domain/base/in-order.ts";
import { setImmediate } from "node:timers/promises";
import { and, eq, gte, max, sql } from "drizzle-orm";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { SOMEONE } from "../../domain/people/account.ts";
import { textField } from "../../domain/base/payload.ts";
import { keyText, type RecordKey, type Table } from "../../domain/base/record.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { columnField } from "../../domain/tasks/task.ts";
import { startUndo, type Undoing, type UndoPlan } from "../../domain/history/undo.ts";
import { filedOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import { editRecord } from "../records/write.ts";
import { version } from "../schema/history.ts";
import { type Orm, prepared } from "../query.ts";
import { findRecord } from "../records/find.ts";
import { tasksInFolder } from "../records/named-folders.ts";
import type { Store } from "../store.ts";
import type { Folders, History, Transaction } from "../transaction.ts";
import type { VersionRow } from "../../domain/history/version.ts";
import { versionsOf } from "./history.ts";
import { BY_KEY, findOtherTask, moveOf, type Move, type MoveReads, takeOut } from "./undo-moves.ts";
import { releaseVersions } from "./quota.ts";
import { walkBack } from "./walk.ts";

/**
 * Which changes to undo: those of these keys, from an instant on, up to the version (`upTo`) that the person
 * looked at. What several keys did to one another is undone together.
 */
export type UndoRequest = {
  readonly keyIds: readonly string[];
  readonly since: Instant;
  readonly upTo: number;
};

/** The outcome of an undo for one record. */
export type UndoneRecord = {
  readonly table: Table;
  readonly id: string;
  readonly title: string;
  readonly undoings: readonly Undoing[];
  /** Why nothing of this record could be undone, such as that the account is full; null if it could. */
  readonly refused: string | null;
};

const selectTouched = prepared((orm) =>
  orm
    .select({
      table: version.table,
      id: version.recordId,
      first: sql<number>`min(${version.id})`,
      last: sql<number>`max(${version.id})`,
    })
    .from(version)
    .where(
      and(
        BY_KEY,
        gte(version.at, sql.placeholder("since")),
        // The `+` keeps SQLite from using the index of all the account's versions, of which the key's may be
        // a small part.
        sql`+${version.id} <= ${sql.placeholder("upTo")}`,
      ),
    )
    .groupBy(version.table, version.recordId)
    .prepare(),
);

/** Returns the id of the account's newest version, so that a preview can say up to where it looked. */
export const newestVersion = async (store: Store, accountId: number): Promise<number> =>
  (
    await store.reader
      .select({ id: max(version.id) })
      .from(version)
      .where(eq(version.accountId, accountId))
      .get()
  )?.id ?? 0;

/**
 * Returns what an undo would do now, record by record, without changing anything. Tasks come first, then
 * folders.
 */
export const previewUndo = async (
  store: Store,
  accountId: number,
  request: UndoRequest,
): Promise<readonly UndoneRecord[]> => {
  const records: UndoneRecord[] = [];
  const moves = new Map<string, string | null>();
  const { reader } = store;
  const reads = {
    history: {
      ...versionsOf(store, accountId),
      otherTask: async (one: VersionRow) => findOtherTask(reader, one),
    },
    records: {
      find: async ({ table, id }: RecordKey) => findRecord(reader, accountId, table, id),
    },
    folders: { tasks: async (id: string) => tasksInFolder(reader, accountId, id) },
  };
  for (const { table, id, first } of await touched(reader, accountId, request)) {
    const row = await findRecord(reader, accountId, table, id);
    const plan = row && (await planFor(reads, row, { ...request, first }, moves));
    if (plan) records.push(undoneRecord(row, plan));
    if (row && plan?.target) moves.set(id, folderOf(plan.target));
    await setImmediate();
  }
  return records;
};

/**
 * Undoes what keys did, as new edits that every device pulls, what changed last first. Fields that someone else changed
 * since stay as they are. Returns what was undone and what was not, record by record. Each record has its own transaction;
 * if the server stops halfway, call it again to undo the rest. What was undone no longer counts against the keys' shares
 * of the history.
 */
export const undoKeys = async (
  store: Store,
  accountId: number,
  request: UndoRequest,
  now: Instant,
): Promise<readonly UndoneRecord[]> => {
  const records: UndoneRecord[] = [];
  for (const { table, id, first } of await touched(store.reader, accountId, request)) {
    const undone = await store
      .transaction(accountId, now, (tx) => undoRecord(tx, { table, id }, { ...request, first }))
      .catch((error: unknown) => refusedRecord(store.reader, accountId, { table, id }, error));
    if (undone) records.push(undone);
  }
  if (records.every(({ refused }) => refused === null))
    await releaseVersions(store, accountId, request);
  return records;
};

/** The other records can still be undone. */
const refusedRecord = async (
  orm: Orm,
  accountId: number,
  { table, id }: RecordKey,
  error: unknown,
): Promise<UndoneRecord> => {
  if (!(error instanceof Refusal)) throw error;
  const row = await findRecord(orm, accountId, table, id);
  return { table, id, title: row ? titleOf(row) : "", undoings: [], refused: error.message };
};

/** Null if there is nothing to undo. */
const undoRecord = async (
  tx: Transaction,
  key: RecordKey,
  request: RecordRequest,
): Promise<UndoneRecord | null> => {
  const [row = null] = await tx.records.find([key]);
  const plan = await (row && planFor(readsOf(tx), row, request, DONE));
  if (!row || !plan) return null;
  const { target } = plan;
  const deletedAt = target?.isDeleted ? formatInstant(tx.now) : null;
  const cause = { loss: "undone", by: SOMEONE } as const;
  if (target) await editRecord(tx, row, { ...target, deletedAt }, cause);
  for (const { other, left } of plan.moved)
    await takeOut(
      tx,
      other,
      plan.returned.filter((name) => left.has(name)),
    );
  return undoneRecord(row, plan);
};

const readsOf = ({ history, folders, records }: Transaction): Reads => ({
  history,
  folders,
  records: { find: async (key) => (await records.find([key]))[0] ?? null },
});

/** The request for one record: `first` is the key's first version of it within the request. */
type RecordRequest = UndoRequest & { readonly first: number };

/** For tasks that are not undone yet: the folder each will be in afterwards. */
type Moves = ReadonlyMap<string, string | null>;

const DONE: Moves = new Map();

/** The records that the keys changed. Tasks before folders: a folder is only deleted once it is empty. */
const touched = async (orm: Orm, accountId: number, { keyIds, since, upTo }: UndoRequest) => {
  const all = await mapInOrder(keyIds, (keyId) =>
    selectTouched(orm).all({ accountId, keyId, since, upTo }),
  );
  return [...Map.groupBy(all.flat(), keyText).values()]
    .map((those) => ({
      ...(those[0] as (typeof those)[number]),
      first: Math.min(...those.map(({ first }) => first)),
      last: Math.max(...those.map(({ last }) => last)),
    }))
    .toSorted(
      (a, b) =>
        Number(a.table === "sync_projects") - Number(b.table === "sync_projects") ||
        b.last - a.last,
    );
};

const undoneRecord = (row: RecordRow, { undoings }: UndoPlan): UndoneRecord => ({
  table: row.table,
  id: row.id,
  title: titleOf(row),
  undoings,
  refused: null,
});

const titleOf = (row: RecordRow): string => row.title || (textField(payloadOf(row), "title") ?? "");

/** The data a plan is made from. */
type Reads = MoveReads & {
  readonly history: Pick<History, "before">;
  readonly folders: Pick<Folders, "tasks">;
};

/** A plan, with the moves that it takes back. */
type RecordPlan = UndoPlan & { readonly moved: readonly Move[] };

/**
 * Null if nothing of the key's work is left to report: the record is deleted, or everything was undone
 * already.
 */
const planFor = async (
  reads: Reads,
  row: RecordRow,
  request: RecordRequest,
  moves: Moves,
): Promise<RecordPlan | null> => {
  if (row.deletedAt !== null) return null;
  const plan = await planOf(reads, row, request);
  if (plan.undoings.every(({ state }) => state === "gone")) return null;
  if (row.table !== "sync_projects") return plan;
  const holds = await holdsTasks(reads, row.id, moves);
  return holds ? kept(plan) : plan;
};

/** Plans from the record's changes since the key's first one within the request. */
const planOf = async (
  reads: Omit<Reads, "folders">,
  row: RecordRow,
  { keyIds, since, upTo, first }: RecordRequest,
): Promise<RecordPlan> => {
  const planning = startUndo(payloadOf(row), filedOf(row));
  const all: Move[] = [];
  await walkBack(reads.history, row, async ({ version: one, refused, before, after }) => {
    if (one.id < first) return true;
    const { at, loss, byKind: kind, byId: id } = one;
    const mine = kind === "api_key" && keyIds.includes(id ?? "") && at >= since && one.id <= upTo;
    const act = { mine, undoes: loss === "undone", at, by: { kind, id }, before, after };
    const moved = mine && !refused ? await moveOf(reads, one, act) : null;
    if (moved) all.push(moved);
    if (!refused) planning.add({ ...act, moved });
    return false;
  });
  return { ...planning.plan(), moved: all };
};

/** The folder the task will be in; null for none, or if the task will be deleted. */
const folderOf = ({ payload, isDeleted }: NonNullable<UndoPlan["target"]>): string | null =>
  isDeleted ? null : columnField(payload, "project_id");

const holdsTasks = async ({ folders }: Reads, folderId: string, moves: Moves): Promise<boolean> =>
  [...moves.values()].includes(folderId) ||
  (await folders.tasks(folderId)).some((id) => !moves.has(id));

/** A folder that still holds tasks is not deleted. */
const kept = ({ undoings }: UndoPlan): RecordPlan => ({
  returned: [],
  moved: [],
  undoings: undoings.map((undoing) => ({ ...undoing, state: "changed", changedBy: null })),
  target: null,
});
