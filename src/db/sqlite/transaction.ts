import type { Database } from "bun:sqlite";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { type ServerClock, stamp } from "../records/clock.ts";
import { isUnsure } from "./faults.ts";
import type { Orm } from "./orm.ts";

/** What a job sees: the transaction that its whole batch shares. All in it is synchronous. */
export type Tx = {
  readonly orm: Orm;
  /** The stamp of all the account's records in this transaction. */
  stamp(accountId: number, now: Instant): Instant;
  /** Runs `work`; what it refuses is undone and returned, what it throws otherwise goes on up. */
  attempt<T>(work: () => T): Attempt<T>;
  /** Runs `work` as an attempt does, and undoes it whatever comes of it. */
  rehearse<T>(work: () => T): Attempt<T>;
};

type Attempt<T> =
  { readonly done: true; readonly value: T } | { readonly done: false; readonly refusal: Refusal };

/** A job that returned a promise would be committed before it is done: it does not compile. */
type Sync<T> = T extends PromiseLike<unknown> ? never : T;

export type Writer = {
  /**
   * Resolves once the job's changes are on the disk; rejects if nothing of them stands. A job that leaves only the
   * `trace` of a call lets stand what is `remembered` of the data.
   */
  write<T>(job: (tx: Tx) => Sync<T>, leaves?: "data" | "trace"): Promise<T>;
  /** Resolves when all that was handed in is committed or refused. */
  drain(): Promise<void>;
  /** Whether writes wait for another process's lock right now. */
  isBlocked(): boolean;
  /**
   * Resolves with `written`, which must not reject, or once writes have waited for another process's lock for a
   * while: what needs no write goes on without it.
   */
  writtenOrBlocked(written: Promise<unknown>): Promise<void>;
  /** Whether the storage did not take what was written last. */
  isFailing(): boolean;
  /**
   * Empties SQLite's log if it holds more than `bytes`. Returns how many it still holds where another
   * process keeps it from that, else null.
   */
  emptyLog(bytes: number): number | null;
};

export type Transaction = Tx & { readonly committed: () => void };

/**
 * Something was to be undone in a transaction without savepoints: it must be rolled back as a whole, and all
 * its jobs done once more, with savepoints.
 */
export class Redo extends Error {}

/**
 * The transaction that was just begun on `database`, as its jobs see it. With `savepoints`, what an attempt
 * refuses is undone; without them it is a `Redo`: nearly all attempts succeed, and at each savepoint SQLite writes
 * out what the full-text index has gathered, which takes longer than the attempt.
 */
export const transaction = (
  database: Database,
  orm: Orm,
  clock: ServerClock,
  savepoints: boolean,
): Transaction => {
  // Both are void after a rollback to a savepoint, which takes the rows behind them back.
  const stamps = new Map<number, Instant>();
  let lease = 0;
  const undo = (savepoint: string): void => {
    database.run(`ROLLBACK TO ${savepoint}`);
    database.run(`RELEASE ${savepoint}`);
    stamps.clear();
    lease = 0;
  };
  const hope = <T>(work: () => T): Attempt<T> => {
    try {
      return { done: true, value: work() };
    } catch (error) {
      // What ended the transaction, or cannot be relied on any more, is not to be tried again.
      throw database.inTransaction && !isUnsure(error) ? new Redo() : error;
    }
  };
  const attempt = <T>(work: () => T): Attempt<T> => {
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
    attempt: savepoints ? attempt : hope,
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
