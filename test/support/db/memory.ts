import type { Transaction } from "../../../src/db/transaction.ts";
import type { Instant } from "../../../src/domain/base/instant.ts";
import { keyText } from "../../../src/domain/base/record.ts";
import type { NewVersion } from "../../../src/domain/history/version.ts";
import type { Ack } from "../../../src/domain/sync/proof.ts";
import type { AgentChild } from "../../../src/domain/tasks/filed.ts";
import type { RecordRow } from "../../../src/domain/records/row.ts";
import { isListed } from "../../../src/domain/tasks/task.ts";

/** One account's data in memory. `answer` hands out what is read, at once or later. */
export const memoryAccount = (
  accountId: number,
  ackOf: (sessionId: string) => Ack,
  answer: <Value>(value: Value) => Promise<Value>,
) => {
  const data = {
    rows: new Map<string, RecordRow>(),
    children: new Map<string, AgentChild>(),
    /** In the order in which they came; their place is their number. */
    versions: [] as NewVersion[],
    since: 0,
    deletions: [] as (readonly [sessionId: string | null, records: number])[],
    counts: new Map<string, number>(),
    hw: 0,
  };
  const begin = (now: Instant): Transaction => ({
    accountId,
    now,
    records: {
      find: (keys) => answer(keys.map((key) => data.rows.get(keyText(key)) ?? null)),
      put: (writes) => {
        for (const { row } of writes) data.rows.set(keyText(row), row);
        data.hw = Math.max(data.hw, ...writes.map(({ row }) => row.changedAt));
        return answer(undefined);
      },
      countProposed: never,
      checkRoom: never,
    },
    children: {
      find: (ids) => answer(ids.flatMap((id) => data.children.get(id) ?? [])),
      add: never,
    },
    folders: { has: never, name: never, names: never, tasks: never, lastPlace: never },
    buckets: {
      move: (buckets) => {
        for (const { id, trashed } of buckets)
          for (const [key, row] of data.rows)
            if (row.bucketId === id) data.rows.set(key, moved(row, trashed));
        return answer(undefined);
      },
    },
    imports: { open: never, madeOf: never, note: never, progress: never },
    inbox: { find: () => answer(null), set: never },
    claims: {
      of: never,
      find: never,
      all: never,
      put: never,
      first: never,
      end: () => answer(undefined),
    },
    departures: { add: () => answer(undefined) },
    history: {
      keep: (versions) => {
        const known = new Set(data.versions.map(digestOf));
        for (const one of versions) {
          if (one.digest === null || !known.has(digestOf(one))) data.versions.push(one);
          known.add(digestOf(one));
        }
        return answer(undefined);
      },
      find: never,
      otherTask: never,
      before: ({ table, id }, last) => {
        const rows = data.versions.map((one, at) => ({ ...one, id: at }));
        const mine = rows.filter((one) => one.table === table && one.recordId === id);
        return answer(
          mine
            .filter((one) => one.id < last)
            .toReversed()
            .slice(0, READ_AT_ONCE),
        );
      },
      wasRefused: ({ table, id: recordId }, digest) =>
        answer(
          data.versions.some((one) => digestOf(one) === digestOf({ table, recordId, digest })),
        ),
      kept: () => answer({ since: data.since, restored: [], mark: "" }),
      noteDeletion: (...noted) => answer(void data.deletions.push(noted)),
      noteRestored: never,
    },
    sync: {
      stamp: () => answer(Math.max(now, data.hw + 1)),
      ack: (sessionId) => answer(ackOf(sessionId)),
      count: (id, { applied, rejected }) =>
        answer(void data.counts.set(id, (data.counts.get(id) ?? 0) + applied * 1000 + rejected)),
    },
    calls: { record: never },
    attempt: never,
    rehearse: never,
  });
  return { data, begin };
};

/** Few, so that even short histories are read in several parts. */
const READ_AT_ONCE = 2;

const never = (): never => {
  throw new Error("A push does not need this.");
};

const moved = (row: RecordRow, trashed: number): RecordRow => {
  const live = Number(trashed === 0 && row.deletedAt === null);
  const open = Number(live === 1 && row.status !== null && isListed(row.status));
  return { ...row, trashed, live, open };
};

const digestOf = ({
  table,
  recordId,
  digest,
}: Pick<NewVersion, "digest" | "recordId" | "table">): string => `${table} ${recordId} ${digest}`;
