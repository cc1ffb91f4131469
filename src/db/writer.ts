import type { Database } from "bun:sqlite";
import type { Instant } from "../instant.ts";
import { Refusal } from "../refusal.ts";
import { type ServerClock, stamp } from "./clock.ts";
import { isBusy, storageRefusal } from "./faults.ts";
import type { Orm } from "./orm.ts";

/** What a job sees: the transaction that its whole batch shares. All in it is synchronous. */
export type Tx = {
  readonly orm: Orm;
  /** The stamp of all the account's records in this transaction. */
  stamp(accountId: number, now: Instant): Instant;
  /** Runs `work`; what it refuses is undone and returned, what it throws otherwise goes on up. */
  attempt<T>(work: () => T): Outcome<T>;
  /** Runs `work` as an attempt does, and undoes it whatever comes of it. */
  rehearse<T>(work: () => T): Outcome<T>;
};

type Outcome<T> =
  { readonly done: true; readonly value: T } | { readonly done: false; readonly refusal: Refusal };

/** A job that returned a promise would be committed before it is done: it does not compile. */
type Sync<T> = T extends PromiseLike<unknown> ? never : T;

export type Writer = {
  /** Resolves once the job's changes are on the disk; rejects if nothing of them stands. */
  write<T>(job: (tx: Tx) => Sync<T>): Promise<T>;
  /** Resolves when all that was handed in is committed or refused. */
  drain(): Promise<void>;
  /** Whether writes wait for another process's lock right now. */
  isBlocked(): boolean;
};

type Job = {
  readonly run: (tx: Tx) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: number;
};

/** How long a write waits for another process that holds the database's write lock, in ms. */
const PATIENCE = 5_000;
const RETRY = 10;
/** Jobs in one commit: bounds how long the event loop is held. */
const BATCH = 256;

/**
 * Group commit: what arrives while one commit runs shares the next one, and one fsync. Each job has
 * its own savepoint; all are answered after COMMIT. The connection's busy timeout is 0: SQLite would
 * wait inside the event loop, so a timer waits here instead.
 */
export const startWriter = (database: Database, orm: Orm, clock: ServerClock): Writer => {
  const queue: Job[] = [];
  let idle: (() => void)[] = [];
  let scheduled = false;
  let blocked = false;

  const schedule = (delay: number): void => {
    if (scheduled) return;
    scheduled = true;
    if (delay === 0) setImmediate(flush);
    else setTimeout(flush, delay);
  };

  const flush = (): void => {
    scheduled = false;
    const batch = queue.splice(0, BATCH);
    let waiting: readonly Job[] = [];
    try {
      database.run("BEGIN IMMEDIATE");
      commit(database, batch, transaction(database, orm, clock));
    } catch (error) {
      if (database.inTransaction) database.run("ROLLBACK");
      waiting = refuse(batch, error);
      queue.unshift(...waiting);
    }
    blocked = waiting.length > 0;
    if (queue.length > 0) return schedule(blocked ? RETRY : 0);
    for (const resolve of idle) resolve();
    idle = [];
  };

  return {
    write: (job) =>
      new Promise((resolve, reject) => {
        let value: ReturnType<typeof job>;
        queue.push({
          run: (tx) => (value = job(tx)),
          resolve: () => resolve(value),
          reject,
          deadline: performance.now() + PATIENCE,
        });
        schedule(0);
      }),
    isBlocked: () => blocked,
    drain: () =>
      queue.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve)),
  };
};

type Transaction = Tx & { readonly committed: () => void };

const transaction = (database: Database, orm: Orm, clock: ServerClock): Transaction => {
  // Both are void after a rollback to a savepoint, which takes the rows behind them back.
  const stamps = new Map<number, Instant>();
  let lease = 0;
  const undo = (savepoint: string): void => {
    database.run(`ROLLBACK TO ${savepoint}`);
    database.run(`RELEASE ${savepoint}`);
    stamps.clear();
    lease = 0;
  };
  const attempt = <T>(work: () => T): Outcome<T> => {
    database.run("SAVEPOINT job");
    try {
      const value = work();
      database.run("RELEASE job");
      return { done: true, value };
    } catch (error) {
      if (!database.inTransaction) throw error;
      undo("job");
      if (error instanceof Refusal) return { done: false, refusal: error };
      throw error;
    }
  };
  return {
    orm,
    stamp: (accountId, now) => {
      const known = stamps.get(accountId);
      if (known !== undefined) return known;
      const given = stamp(orm, clock, accountId, now);
      lease = given.lease;
      stamps.set(accountId, given.changedAt);
      return given.changedAt;
    },
    attempt,
    rehearse: (work) => {
      database.run("SAVEPOINT rehearsal");
      const outcome = attempt(work);
      undo("rehearsal");
      return outcome;
    },
    committed: () => {
      clock.lease = Math.max(clock.lease, lease);
    },
  };
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
      if (!database.inTransaction) throw error;
      answers.push(() => job.reject(storageRefusal(error)));
    }
  }
  database.run("COMMIT");
  tx.committed();
  for (const answer of answers) answer();
};

/** A batch of one needs no savepoint: what undoes the job undoes the transaction. */
const commitOne = (database: Database, job: Job, tx: Transaction): void => {
  job.run(tx);
  database.run("COMMIT");
  tx.committed();
  job.resolve();
};

/** Answers a batch of which nothing stands. Returns those that wait for another process's lock. */
const refuse = (batch: readonly Job[], error: unknown): readonly Job[] => {
  const waiting = isBusy(error) ? batch.filter((job) => performance.now() < job.deadline) : [];
  for (const job of batch) if (!waiting.includes(job)) job.reject(storageRefusal(error));
  return waiting;
};

/** How long, in ms, to wait before asking whether a write is blocked. */
const SHORTLY = 100;

/**
 * Waits for a write, but not for another process's lock: what needs no write goes on without it.
 * `written` must not reject.
 */
export const writtenOrBlocked = async (
  writer: Writer,
  written: Promise<unknown>,
): Promise<void> => {
  const done = written.then(() => true);
  for (;;) {
    const over = await Promise.race([done, Bun.sleep(SHORTLY)]);
    if (over === true || writer.isBlocked()) return;
  }
};
