import type { Instant } from "../domain/base/instant.ts";
import type { Orm } from "./query.ts";
import type { Attempt } from "./transaction.ts";

/** What a job sees: the transaction that its whole batch shares. */
export type Tx = {
  readonly orm: Orm;
  /** Returns the stamp that the account's records will get in this transaction, without saving it. */
  nextStamp(accountId: number, now: Instant): Promise<Instant>;
  /** Returns the same stamp and saves it. */
  stamp(accountId: number, now: Instant): Promise<Instant>;
  /**
   * Runs `work`. If it is refused, its writes are undone and the refusal is returned. Any other error is
   * thrown on.
   */
  attempt<T>(work: () => Promise<T>): Promise<Attempt<T>>;
  /** Runs `work` like `attempt`, but always undoes its writes. */
  rehearse<T>(work: () => Promise<T>): Promise<Attempt<T>>;
};

export type Writer = {
  /**
   * Resolves once the job's changes are on the disk; rejects if none of them were stored. A job that returns
   * a promise blocks all other jobs until it settles, so it must not wait for another write. A job that
   * writes only the `trace` of a call leaves the `remembered` cache valid, and one that writes only one row of it (`row`)
   * needs no undo of its own.
   */
  write<T>(job: (tx: Tx) => Promise<T> | T, leaves?: "data" | "row" | "trace"): Promise<T>;
  /** Resolves when all pending writes are committed or refused. */
  drain(): Promise<void>;
  /** Whether writes are waiting for another process's lock right now. */
  isBlocked(): boolean;
  /**
   * Resolves with `written`, which must not reject, or after a while in which writes wait for another process's lock, or
   * fail: a caller that can do without the write goes on.
   */
  writtenOrBlocked(written: Promise<unknown>): Promise<void>;
  /** The same, or once a while has passed, whatever the reason: another account's long write, say. */
  writtenOrLate(written: Promise<unknown>): Promise<void>;
  /** Whether the last write to the storage failed. */
  isFailing(): boolean;
  /**
   * Empties the engine's log if it holds more than `bytes`, unless a transaction is open. Returns its size in
   * bytes if another process prevents that, otherwise null.
   */
  emptyLog(bytes: number): number | null;
};
