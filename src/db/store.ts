import type { Refusal } from "../domain/base/refusal.ts";
import type { Shares } from "./history/grow.ts";
import type { Acks } from "./records/acks.ts";
import type { ServerClock } from "./records/clock.ts";
import type { FoundPage, ListRequest } from "./records/lists/task-filter.ts";
import type { Orm } from "./query.ts";
import type { Transact } from "./transaction.ts";
import type { Writer } from "./writer.ts";

/** The open data directory. Every function of `db/` takes it as its first argument. */
export type Store = {
  readonly directory: string;
  /** A separate connection for reads, which never wait for a commit. */
  readonly reader: Orm;
  readonly writer: Writer;
  /** Searches the tasks of an account. */
  readonly searcher: Searcher;
  /** Runs a job for one account in its own transaction. */
  readonly transaction: Transact;
  readonly clock: ServerClock;
  /** How many bytes an account's records may take up. Null for no limit. */
  readonly quota: number | null;
  readonly shares: Shares;
  /** What each session is known to have stored. */
  readonly acks: Acks;
  /** What an error of the storage means to a caller, and to the server's owner; null for any other error. */
  readonly faults: {
    readonly refusal: (error: unknown) => Refusal | null;
    readonly line: (error: unknown) => string | null;
  };
  /** Commits pending writes, settles the lease if this is the server, and releases everything. */
  close(): Promise<void>;
};

/** Searches in the accounts' tasks, on a thread of their own. */
export type Searcher = {
  /**
   * Returns a page of the tasks sought. All that was committed before the call is found. Refuses (503) while the
   * account's index is being made.
   */
  readonly search: (asked: ListRequest) => Promise<FoundPage>;
  /** Forgets what it has found out about tasks: it is made again from them. Call it once an account is deleted. */
  readonly forget: () => void;
  /** The same if an account is gone that another process deleted, perhaps on another machine. */
  readonly forgetGone: () => Promise<void>;
  /** Writes the indexes out and ends the thread. */
  readonly close: () => Promise<void>;
};
