import type { Trace } from "../domain/calls/trace.ts";
import type { Restriction } from "../domain/people/restriction.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { MaybePromise } from "../domain/base/maybe-promise.ts";
import type { RecordKey } from "../domain/base/record.ts";
import type { Refusal } from "../domain/base/refusal.ts";
import type { NewVersion, VersionRow } from "../domain/history/version.ts";
import type { Ack } from "../domain/sync/ack.ts";
import type { AgentChild } from "../domain/sync/moved.ts";
import type { RecordWrite } from "../domain/sync/replacement.ts";
import type { RecordRow } from "../domain/sync/row.ts";

/**
 * A transaction on one account's data: all of it is stored, or nothing. It knows its account, so that no rule can
 * read or write another's. What an engine has at hand comes back at once, everything else as a promise (see
 * `andThen`); one thing is asked after the other, never two at once.
 */
export type Transaction = {
  readonly accountId: number;
  /** When it takes place, on the wall's clock. */
  readonly now: Instant;
  readonly records: Records;
  readonly children: Children;
  readonly folders: Folders;
  readonly buckets: Buckets;
  readonly inbox: Inbox;
  readonly history: History;
  readonly sync: Sync;
  readonly calls: Calls;
  /** Does the work; what it refuses is undone and returned, what it throws otherwise ends the transaction. */
  attempt<Value>(work: () => MaybePromise<Value>): MaybePromise<Attempt<Value>>;
  /** Does the work as an attempt, and undoes it whatever comes of it. */
  rehearse<Value>(work: () => MaybePromise<Value>): MaybePromise<Attempt<Value>>;
};

/** What came of work that may be refused. */
export type Attempt<Value> =
  | { readonly done: true; readonly value: Value }
  | { readonly done: false; readonly refusal: Refusal };

/** Tasks, folders and buckets: deleted ones too, which are tombstones. */
type Records = {
  /** One for each key, in their order; null for a record that the account never had. */
  find(keys: readonly RecordKey[]): MaybePromise<readonly (RecordRow | null)[]>;
  /** Stores records with all that is derived from them. Each may occur once. */
  put(writes: readonly RecordWrite[]): MaybePromise<void>;
};

/** The tabs and notes that keys filed. */
type Children = {
  /** Those of these ids that there are. */
  find(ids: readonly string[]): MaybePromise<readonly AgentChild[]>;
  /** Those that are there already stay as they are. */
  add(children: readonly AgentChild[]): MaybePromise<void>;
};

export type Folders = {
  /** The oldest live folder of that id or title within a restriction: its id, null where there is none. */
  find(
    by: "id" | "title",
    text: string,
    restriction: Restriction | null,
  ): MaybePromise<string | null>;
  /** The ids of the tasks that lie in a folder and are not deleted. */
  tasks(id: string): MaybePromise<readonly string[]>;
};

type Buckets = {
  /** Tasks in a bucket that became a trash bucket are in the trash from now on, those in one that is none no more. */
  move(buckets: readonly { readonly id: string; readonly trashed: number }[]): MaybePromise<void>;
};

/** The task into which tabs go that belong nowhere yet. */
type Inbox = {
  /** Its id, null before there was one. */
  find(): MaybePromise<string | null>;
  set(taskId: string): MaybePromise<void>;
};

/** Versions of records that are not the current ones. */
export type History = {
  /** Stores them in this order, counts them as the account's, and drops its oldest where they are too much. */
  keep(versions: readonly NewVersion[]): MaybePromise<void>;
  find(id: number): MaybePromise<VersionRow | null>;
  /** The next versions of a record before that id, the newest first; none where there are no more. */
  before(record: RecordKey, id: number): MaybePromise<readonly VersionRow[]>;
  /** Notes that a push deleted very many records. */
  noteDeletion(sessionId: string | null, records: number): MaybePromise<void>;
  /** Notes that what such a push deleted was restored. */
  noteRestored(deletionId: number): MaybePromise<void>;
};

type Sync = {
  /** The stamp of all the account's records in this transaction: above all that was ever given out. */
  stamp(): Instant;
  /** What a session is known to have stored. */
  ack(sessionId: string): MaybePromise<Ack>;
  /** Counts what a push did for the session that sent it. */
  count(sessionId: string, done: PushCounts): MaybePromise<void>;
};

export type PushCounts = { readonly applied: number; readonly rejected: number };

type Calls = {
  /** Leaves what a call leaves: its row in the activity list, its reply where that is kept. */
  record(trace: Trace): MaybePromise<void>;
};

/** Does a job in a transaction of its own. Resolves once what it wrote is on the disk. */
export type Transact = <Value>(
  accountId: number,
  now: Instant,
  job: (tx: Transaction) => MaybePromise<Value>,
) => Promise<Value>;
