import type { Instant } from "../domain/base/instant.ts";
import { insertTrace } from "./calls/trace.ts";
import { type Acks, ackOf } from "./records/acks.ts";
import { addedBy, checkQuota, countSync, putRecords } from "./records/put.ts";
import type { Transact, Transaction } from "./transaction.ts";
import {
  findVersion,
  insertDeletion,
  keepVersions,
  keptHistory,
  updateRestored,
  versionsBefore,
  wasRefused,
} from "./history/versions.ts";
import { findOtherTask } from "./history/undo-moves.ts";
import { SHARES, type Shares } from "./history/grow.ts";
import { madeOf, noteImported, noteProgress, openImport } from "./imports/journal.ts";
import { claimById, claimOfTask, endClaims, liveClaims, putClaim } from "./records/claims.ts";
import { addDepartures } from "./records/departures.ts";
import { readList } from "./records/lists/task-list.ts";
import { moveBuckets } from "./records/buckets.ts";
import {
  countProposed,
  findChildren,
  findInboxId,
  findRecords,
  insertChildren,
  setInboxId,
} from "./records/find.ts";
import {
  hasFolder,
  lastPlaceIn,
  namesOf,
  readNames,
  tasksInFolder,
} from "./records/named-folders.ts";
import type { Tx, Writer } from "./writer.ts";

/**
 * Transactions on SQLite. Jobs of many accounts may share one commit, and each job sees only its own account.
 */
export const transactOn =
  (
    writer: Pick<Writer, "write">,
    acks: Acks,
    quota: number | null = null,
    shares: Shares = SHARES,
  ): Transact =>
  (accountId, now, job) =>
    writer.write((tx) => job(openTransaction(tx, { acks, quota, shares }, accountId, now)));

type Kept = { readonly acks: Acks; readonly quota: number | null; readonly shares: Shares };

const openTransaction = (
  tx: Tx,
  { acks, quota, shares }: Kept,
  accountId: number,
  now: Instant,
): Transaction => {
  const { orm } = tx;
  return {
    accountId,
    now,
    records: {
      find: (keys) => findRecords(orm, accountId, keys),
      put: async (writes) => {
        const stamp = await tx.nextStamp(accountId, now);
        if (quota !== null) await checkQuota(orm, accountId, addedBy(writes), quota);
        if (writes.some(({ row }) => row.changedAt === stamp)) await tx.stamp(accountId, now);
        await putRecords(orm, writes);
      },
      countProposed: (keyName) => countProposed(orm, accountId, keyName),
      checkRoom: async (bytes) => {
        if (quota !== null) await checkQuota(orm, accountId, bytes, quota);
      },
    },
    children: {
      find: (ids) => findChildren(orm, accountId, ids),
      add: async (children) => insertChildren(orm, accountId, children),
    },
    folders: {
      has: async (id, restriction) => hasFolder(orm, accountId, id, restriction),
      name: async (id, restriction) =>
        (await namesOf(orm, accountId, [id], restriction)).get(id) ?? null,
      names: (restriction) => readNames(orm, accountId, restriction),
      tasks: async (id) => tasksInFolder(orm, accountId, id),
      lastPlace: (id) => lastPlaceIn(orm, accountId, id),
    },
    buckets: {
      move: (buckets) => moveBuckets(orm, accountId, buckets),
    },
    imports: {
      open: (file, total) => openImport(orm, accountId, file, total, now),
      madeOf: (source) => madeOf(orm, accountId, source),
      note: (importId, one) => noteImported(orm, accountId, importId, one),
      progress: (importId, soFar, isFinished) =>
        noteProgress(orm, importId, soFar, isFinished ? now : null),
    },
    inbox: {
      find: async () => findInboxId(orm, accountId),
      set: async (taskId) => setInboxId(orm, accountId, taskId),
    },
    claims: {
      of: (taskId) => claimOfTask(orm, accountId, taskId, now),
      find: (id) => claimById(orm, accountId, id, now),
      all: () => liveClaims(orm, accountId, now),
      put: (claim) => putClaim(orm, accountId, claim),
      end: (taskIds) => endClaims(orm, accountId, taskIds),
      first: async (asked) => {
        const page = { after: null, limit: 1 };
        const [row] = (await readList(orm, { accountId, ...asked, page })).rows;
        return row === undefined ? null : (JSON.parse(row) as { readonly id: string }).id;
      },
    },
    departures: {
      add: (left, stamp) => addDepartures(orm, accountId, left, stamp),
    },
    history: {
      keep: async (versions) => {
        const stamp = await tx.nextStamp(accountId, now);
        if (versions.some((version) => version.stamp === stamp)) await tx.stamp(accountId, now);
        return keepVersions(orm, accountId, versions, shares);
      },
      find: async (id) => findVersion(orm, accountId, id),
      before: async (record, id) => versionsBefore(orm, accountId, record, id),
      otherTask: async (version) => findOtherTask(orm, version),
      wasRefused: async (record, digest) => wasRefused(orm, accountId, record, digest),
      kept: async () => keptHistory(orm, accountId),
      noteDeletion: async (sessionId, records) =>
        insertDeletion(orm, {
          accountId,
          sessionId,
          at: now,
          stamp: await tx.stamp(accountId, now),
          records,
        }),
      noteRestored: async (id) => updateRestored(orm, id, now),
    },
    sync: {
      stamp: () => tx.nextStamp(accountId, now),
      ack: async (sessionId) => ackOf(acks, orm, sessionId),
      count: async (sessionId, done) => countSync(orm, sessionId, { pulled: 0, ...done }, now),
    },
    calls: {
      record: async (trace) => insertTrace(orm, trace),
    },
    attempt: tx.attempt,
    rehearse: tx.rehearse,
  };
};
