import type { Database } from "bun:sqlite";
import type { ServerClock } from "../records/clock.ts";
import { commitNow, isBusy, isUnsure, storageRefusal } from "./faults.ts";
import type { Orm } from "./orm.ts";
import { Redo, type Transaction, transaction, type Tx } from "./transaction.ts";

/** A write that was handed in. */
export type Job = {
  readonly run: (tx: Tx) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: number;
  readonly leaves: "data" | "trace";
};

/** Where a batch is written. */
type Written = { readonly database: Database; readonly orm: Orm; readonly clock: ServerClock };

/** Without savepoints first: the jobs are done again, with them, where one has something to undo. */
export const commitAll = ({ database, orm, clock }: Written, batch: readonly Job[]): void => {
  const begin = (savepoints: boolean): void => {
    database.run("BEGIN IMMEDIATE");
    commit(database, batch, transaction(database, orm, clock, savepoints));
  };
  try {
    begin(false);
  } catch (error) {
    if (!(error instanceof Redo)) throw error;
    database.run("ROLLBACK");
    begin(true);
  }
};

/** Runs the batch and commits it. Throws where nothing of it stands; else every job is answered. */
const commit = (database: Database, batch: readonly Job[], tx: Transaction): void => {
  if (batch.length === 1) return commitOne(database, batch[0] as Job, tx);
  const answers: (() => void)[] = [];
  for (const job of batch) {
    try {
      const outcome = tx.attempt(() => job.run(tx));
      answers.push(outcome.done ? job.resolve : () => job.reject(outcome.refusal));
    } catch (error) {
      // SQLite gave up the whole transaction (disk full, I/O): nobody's changes stand.
      if (!database.inTransaction || isUnsure(error) || error instanceof Redo) throw error;
      answers.push(() => job.reject(storageRefusal(error)));
    }
  }
  commitNow(database);
  tx.committed();
  for (const answer of answers) answer();
};

/** A batch of one needs no savepoint: what undoes the job undoes the transaction. */
const commitOne = (database: Database, job: Job, tx: Transaction): void => {
  job.run(tx);
  commitNow(database);
  tx.committed();
  job.resolve();
};

/** Where the storage fails, going back may fail too: SQLite has then let go of the transaction itself. */
export const rollBack = (database: Database): void => {
  try {
    if (database.inTransaction) database.run("ROLLBACK");
  } catch {
    // What made it necessary is what is told.
  }
};

/** Answers a batch of which nothing stands. Returns those that wait for another process's lock. */
export const refuse = (batch: readonly Job[], error: unknown): readonly Job[] => {
  const waiting = isBusy(error) ? batch.filter((job) => performance.now() < job.deadline) : [];
  for (const job of batch) if (!waiting.includes(job)) job.reject(storageRefusal(error));
  return waiting;
};
