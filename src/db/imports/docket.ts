import { breathe } from "../../domain/base/breathe.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { listField, textField } from "../../domain/base/payload.ts";
import { byteLength } from "../../domain/base/text.ts";
import { SOMEONE } from "../../domain/people/account.ts";
import { type RecordRow, recordRow } from "../../domain/records/row.ts";
import type { Change } from "../../domain/sync/change.ts";
import { type NewVersion, versionSize } from "../../domain/history/version.ts";
import type { DocketRecord } from "../../import/docket.ts";
import type { PastRecord } from "../../import/history.ts";
import { findRecord } from "../records/find.ts";
import { editRecord, isInTrash, writeRecords } from "../records/write.ts";
import type { Store } from "../store.ts";
import type { ImportName, Transaction } from "../transaction.ts";
import { type Made, NOTHING, plus, type Preview, runInBatches, type Told } from "./batches.ts";

/** A checked export that is to be imported. */
export type DocketFile = ImportName & { readonly records: readonly DocketRecord[] };

/** Says what an import will make of an export. Writes nothing. */
export const previewDocket = async (
  { reader }: Pick<Store, "reader">,
  accountId: number,
  { records }: DocketFile,
): Promise<Preview> => {
  let [made, bytes] = [NOTHING, 0];
  for (const one of records) {
    const { change } = one;
    await breathe();
    const row = await findRecord(reader, accountId, change.table, change.id);
    made = plus(made, isThere(row, change) ? { ...NOTHING, known: 1 } : countsOf(change));
    if (!row) bytes += weightOf(one) + BESIDE;
  }
  return { ...made, bytes };
};

/** The size of a record and its history, in bytes. */
const weightOf = ({ change, history }: DocketRecord): number =>
  history.reduce((sum, one) => sum + versionSize(one), byteLength(change.payloadText));

/** What a record takes up beside its payload, in bytes. */
const BESIDE = 1_000;

/** Only what the account never had, or what was deleted there since, is made. */
const isThere = (row: RecordRow | null, { deletedAt }: Change): boolean =>
  row !== null && (row.deletedAt === null || deletedAt !== null);

const countsOf = ({ table, payload, deletedAt }: Change): Made => {
  if (deletedAt !== null || table === "sync_buckets") return NOTHING;
  if (table === "sync_projects") return { ...NOTHING, folders: 1 };
  return {
    ...NOTHING,
    tasks: 1,
    tabs: listField(payload, "pages").length,
    notes: listField(payload, "notes").length,
  };
};

/** Bytes of payloads in one transaction. */
const BYTES_AT_ONCE = 512 * 1024;

/**
 * Imports Docket's own export: records that the account never had come back as they were, with their ids, times and authors.
 * One that was deleted there since is brought back; what is there stays as it is. Refused as a whole if there is no room.
 */
export const runDocket = async (
  store: Store,
  accountId: number,
  file: DocketFile,
  clock: () => Instant,
  told: Told = {},
): Promise<number> => {
  const work = {
    items: file.records,
    bytes: async () => (await previewDocket(store, accountId, file)).bytes,
    weightOf,
    most: BYTES_AT_ONCE,
    importOne: importRecord,
  };
  return runInBatches(store, accountId, file, work, clock, told);
};

const importRecord = async (
  tx: Transaction,
  importId: number,
  one: DocketRecord,
): Promise<Made> => {
  const { change, filed } = one;
  const [row = null] = await tx.records.find([change]);
  if (isThere(row, change)) return { ...NOTHING, known: 1 };
  const cause = { loss: "restored", by: SOMEONE } as const;
  const made = row
    ? await editRecord(tx, row, { payload: change.payload, filed, deletedAt: null }, cause)
    : await insertAsItWas(tx, one);
  const source = `docket\n${change.table} ${change.id}`;
  const noted = { table: change.table, id: change.id, source, stamp: made.changedAt, tabs: null };
  await tx.imports.note(importId, noted);
  return countsOf(change);
};

const insertAsItWas = async (
  tx: Transaction,
  { change, createdAt, author, filed, history }: DocketRecord,
): Promise<RecordRow> => {
  const stamp = await tx.sync.stamp();
  const bucketId = change.table === "sync_tasks" ? textField(change.payload, "bucket_id") : null;
  const trashed = bucketId !== null && (await isInTrash(tx, bucketId));
  const draft = {
    accountId: tx.accountId,
    table: change.table,
    id: change.id,
    payload: change.payload,
    payloadText: change.payloadText,
    deletedAt: change.deletedAt,
    updated: change.updated,
    updatedAt: change.updatedAt,
    createdAt: createdAt ?? tx.now,
    author,
    filed,
  };
  const stamps = {
    changedAt: stamp,
    pushed: null,
    clamp: null,
    protectedAt: stamp,
    fieldTimes: null,
  };
  const row = recordRow(draft, stamps, SOMEONE, () => trashed);
  const byKeys = filed.filter(({ person }) => !person);
  if (byKeys.length > 0) await tx.children.add(byKeys);
  const superseded = [{ loss: "restored", before: null, after: row, via: "rest" }] as const;
  await writeRecords(tx, [{ row, before: null }], superseded, SOMEONE, stamp);
  await tx.history.keep(history.map((version) => pastVersion(row, version)));
  return row;
};

/** An earlier version as it is kept. The stamps, keys and sessions of the server that it comes from mean nothing here. */
const pastVersion = (row: RecordRow, version: PastRecord): NewVersion => ({
  ...version,
  accountId: row.accountId,
  table: row.table,
  recordId: row.id,
  stamp: null,
  writerId: null,
  byId: null,
  size: versionSize(version),
  keySize: 0,
  chargedTo: null,
  filedBy: null,
});
