import type { Database } from "bun:sqlite";
import type { ServerClock } from "../records/clock.ts";
import { commitNow, isBusy, isUnsure, storageRefusal } from "./faults.ts";
import type { Orm } from "./orm.ts";
import { type Batch, startBatch, type Tx } from "./transaction.ts";

/** A write waiting for its turn. */
export type Job = {
  readonly run: (tx: Tx) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Until when it waits for another process's lock; null before it has met one. */
  deadline: number | null;
  readonly leaves: "data" | "trace";
};

/**
 * Where a batch is written. `onCommit` is called before anyone gets an answer; `still` resolves once the log is not being
 * moved.
 */
type Written = {
  readonly database: Database;
  readonly orm: Orm;
  readonly clock: ServerClock;
  readonly onCommit: () => void;
  readonly still: () => Promise<void>;
};

/**
 * Runs a batch of jobs in one transaction, one after the other: while one waits for something, no other starts. Each has
 * its own undo. Throws if none of it was stored; otherwise every job gets its answer.
 */
export const commitAll = async (
  { database, orm, clock, onCommit, still }: Written,
  batch: readonly Job[],
): Promise<void> => {
  database.query("BEGIN IMMEDIATE").run();
  const begun = performance.now();
  const tx = startBatch(database, orm, clock);
  const answers: (() => void)[] = [];
  for (const job of batch) answers.push(await outcomeOf(database, job, tx, batch.length === 1));
  if (performance.now() - begun > LONG) {
    await still();
    await syncAhead(database);
  }
  commitNow(database);
  tx.committed();
  onCommit();
  for (const answer of answers) answer();
};

/** A batch that took longer than this, in ms, may have written a lot. */
const LONG = 100;

/**
 * Brings what a long transaction has written to the log so far to the disk without holding up the event loop, so that
 * COMMIT has less to wait for: its own sync took up to 200 ms while the log was also being moved. If this one fails,
 * COMMIT's fails too.
 */
const syncAhead = async ({ filename }: Database): Promise<void> => {
  const { open } = process.getBuiltinModule("node:fs/promises");
  const log = await open(`${filename}-wal`, "r").catch(() => null);
  await log?.sync().catch(() => {});
  await log?.close();
};

/** Runs a job. Returns how to answer it after COMMIT. A job that is alone is undone with the transaction. */
const outcomeOf = async (
  database: Database,
  job: Job,
  tx: Batch,
  isAlone: boolean,
): Promise<() => void> => {
  try {
    await (isAlone ? job.run(tx) : tx.run(() => job.run(tx)));
    return job.resolve;
  } catch (error) {
    // SQLite rolled back the whole transaction (disk full, I/O error): no job's changes are stored.
    if (isAlone || !database.inTransaction || isUnsure(error)) throw error;
    return () => job.reject(storageRefusal(error));
  }
};

/** If the storage fails, the rollback may fail too: SQLite has then ended the transaction itself. */
export const rollBack = (database: Database): void => {
  try {
    if (database.inTransaction) database.run("ROLLBACK");
  } catch {
    // The error that made the rollback necessary is the one to report.
  }
};

/** How long a write waits for another process that holds the database's write lock, in ms. */
const LOCK_TIMEOUT = 5_000;

/**
 * Answers a batch of which nothing was stored. Returns the jobs that must wait for another process's lock.
 */
export const refuse = (batch: readonly Job[], error: unknown): readonly Job[] => {
  const now = performance.now();
  const waiting = isBusy(error)
    ? batch.filter((job) => now < (job.deadline ??= now + LOCK_TIMEOUT))
    : [];
  for (const job of batch) if (!waiting.includes(job)) job.reject(storageRefusal(error));
  return waiting;
};
