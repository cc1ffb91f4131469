import type { Database } from "bun:sqlite";
import type { Instant } from "../../domain/base/instant.ts";
import { andThen, type MaybePromise, settle } from "../../domain/base/maybe-promise.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { giveStamp, nextStamp, type ServerClock, type Stamp } from "../records/clock.ts";
import type { Attempt } from "../transaction.ts";
import { isUnsure } from "./faults.ts";
import type { Orm } from "./orm.ts";

/** What a job sees: the transaction that its whole batch shares. */
export type Tx = {
  readonly orm: Orm;
  /** The stamp of all the account's records in this transaction, before any of them is written. */
  nextStamp(accountId: number, now: Instant): Instant;
  /** The same stamp, written down as given. */
  stamp(accountId: number, now: Instant): Instant;
  /** Runs `work`; what it refuses is undone and returned, what it throws otherwise goes on up. */
  attempt<T>(work: () => MaybePromise<T>): MaybePromise<Attempt<T>>;
  /** Runs `work` as an attempt does, and undoes it whatever comes of it. */
  rehearse<T>(work: () => MaybePromise<T>): MaybePromise<Attempt<T>>;
};

export type Writer = {
  /**
   * Resolves once the job's changes are on the disk; rejects if nothing of them stands. A job that returns a promise
   * keeps all others waiting until it is settled, so it must not wait for another write. One that leaves only the
   * `trace` of a call lets stand what is `remembered` of the data.
   */
  write<T>(job: (tx: Tx) => MaybePromise<T>, leaves?: "data" | "trace"): Promise<T>;
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
   * Empties SQLite's log if it holds more than `bytes`, unless a transaction is open. Returns how many it still holds
   * where another process keeps it from that, else null.
   */
  emptyLog(bytes: number): number | null;
};

export type Batch = Tx & { readonly committed: () => void };

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
export const startBatch = (
  database: Database,
  orm: Orm,
  clock: ServerClock,
  savepoints: boolean,
): Batch => {
  const stamps = stampsOf(orm, clock);
  const undo = (savepoint: string): void => {
    database.run(`ROLLBACK TO ${savepoint}`);
    database.run(`RELEASE ${savepoint}`);
    stamps.forget();
  };
  const hope = <T>(work: () => MaybePromise<T>): MaybePromise<Attempt<T>> =>
    settle<T, Attempt<T>>(
      work,
      (value) => ({ done: true, value }),
      (error) => {
        // What ended the transaction, or cannot be relied on any more, is not to be tried again.
        throw database.inTransaction && !isUnsure(error) ? new Redo() : error;
      },
    );
  const attempt = <T>(work: () => MaybePromise<T>): MaybePromise<Attempt<T>> => {
    database.run("SAVEPOINT job");
    const release = (value: T): T => {
      database.run("RELEASE job");
      return value;
    };
    return settle<T, Attempt<T>>(
      () => andThen(work(), release),
      (value) => ({ done: true, value }),
      (error) => {
        if (!database.inTransaction) throw error;
        undo("job");
        if (error instanceof Refusal) return { done: false, refusal: error };
        throw error;
      },
    );
  };
  return {
    orm,
    nextStamp: (accountId, now) => stamps.next(accountId, now).changedAt,
    stamp: (accountId, now) => stamps.give(accountId, now),
    attempt: savepoints ? attempt : hope,
    rehearse: (work) => {
      database.run("SAVEPOINT rehearsal");
      return andThen(attempt(work), (outcome) => {
        undo("rehearsal");
        return outcome;
      });
    },
    committed: () => {
      clock.lease = Math.max(clock.lease, stamps.lease());
    },
  };
};

/** The stamps of one transaction. */
const stampsOf = (orm: Orm, clock: ServerClock) => {
  // All are void after a rollback to a savepoint, which takes the rows behind them back.
  const given = new Map<number, Instant>();
  const seen = new Map<number, Stamp & { readonly now: Instant }>();
  let lease = 0;
  const next = (accountId: number, now: Instant): Pick<Stamp, "changedAt"> => {
    const changedAt = given.get(accountId);
    if (changedAt !== undefined) return { changedAt };
    const known = seen.get(accountId);
    if (known?.now === now) return known;
    const stamp = { ...nextStamp(orm, clock, accountId, now), now };
    seen.set(accountId, stamp);
    return stamp;
  };
  const give = (accountId: number, now: Instant): Instant => {
    const { changedAt } = next(accountId, now);
    const stamp = seen.get(accountId);
    if (given.has(accountId) || stamp === undefined) return changedAt;
    giveStamp(orm, accountId, stamp);
    lease = Math.max(lease, stamp.lease);
    given.set(accountId, changedAt);
    return changedAt;
  };
  const forget = (): void => {
    given.clear();
    seen.clear();
    lease = 0;
  };
  return { next, give, forget, lease: () => lease };
};
