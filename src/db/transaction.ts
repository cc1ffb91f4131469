import type { CallTrace } from "../domain/calls/activity.ts";
import type { Restriction } from "../domain/people/api-key.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { RecordKey } from "../domain/base/record.ts";
import type { Refusal } from "../domain/base/refusal.ts";
import type { NamedFolder } from "../domain/tasks/folder.ts";
import type { NewVersion, VersionRow } from "../domain/history/version.ts";
import type { LeftOut } from "../import/model.ts";
import type { Ack, Restore } from "../domain/sync/proof.ts";
import type { AgentChild } from "../domain/tasks/filed.ts";
import type { Claim } from "../domain/tasks/claim.ts";
import type { Departure } from "../domain/records/departure.ts";
import type { ListRequest } from "./records/lists/task-filter.ts";
import type { RecordRow, RecordWrite } from "../domain/records/row.ts";

/**
 * A transaction on one account's data: it is stored completely or not at all. It is bound to its account, so
 * no rule can read or write another account's data. Calls must be made one after the other, never concurrently, and a job awaits nothing
 * else but `breathe`.
 */
export type Transaction = {
  readonly accountId: number;
  /** The wall clock's time of the transaction, in ms. */
  readonly now: Instant;
  readonly records: Records;
  readonly children: Children;
  readonly folders: Folders;
  readonly buckets: Buckets;
  readonly inbox: Inbox;
  readonly claims: Claims;
  readonly departures: Departures;
  readonly imports: Imports;
  readonly history: History;
  readonly sync: Sync;
  readonly calls: Calls;
  /**
   * Runs `work`. If it is refused, its writes are undone and the refusal is returned. Any other error ends
   * the transaction.
   */
  attempt<Value>(work: () => Promise<Value>): Promise<Attempt<Value>>;
  /** Runs `work` like `attempt`, but always undoes its writes. */
  rehearse<Value>(work: () => Promise<Value>): Promise<Attempt<Value>>;
};

/** The result of work that may be refused. */
export type Attempt<Value> =
  | { readonly done: true; readonly value: Value }
  | { readonly done: false; readonly refusal: Refusal };

/** Tasks, folders and buckets, including deleted ones, which are tombstones. */
type Records = {
  /** Returns one entry per key, in the order of the keys; null for a record that the account never had. */
  find(keys: readonly RecordKey[]): Promise<readonly (RecordRow | null)[]>;
  /** Stores records with all that is derived from them. Each record may occur once. */
  put(writes: readonly RecordWrite[]): Promise<void>;
  /** Returns how many proposed tasks wait that a key of this name created. */
  countProposed(keyName: string): Promise<number>;
  /** Refuses what would let the account's records grow beyond its quota (507). */
  checkRoom(bytes: number): Promise<void>;
};

/** Tabs and notes filed by API keys, wherever they are now. */
type Children = {
  /** Returns the children with these ids; ids that do not exist are left out. */
  find(ids: readonly string[]): Promise<readonly AgentChild[]>;
  /** Stores children. Those already stored stay as they are. */
  add(children: readonly AgentChild[]): Promise<void>;
};

export type Folders = {
  /** Whether there is a live folder with that id within the restriction. */
  has(id: string, restriction: Restriction | null): Promise<boolean>;
  /** Returns the name of the live folder with that id within the restriction; null if there is none. */
  name(id: string, restriction: Restriction | null): Promise<string | null>;
  /** Returns the live folders within the restriction. */
  names(restriction: Restriction | null): Promise<readonly NamedFolder[]>;
  /** Returns the ids of the folder's tasks that are not deleted. */
  tasks(id: string): Promise<readonly string[]>;
  /** Returns the last position that a live task of the folder has; null if none has one. */
  lastPlace(id: string): Promise<string | null>;
};

type Buckets = {
  /**
   * Tasks in a bucket that becomes a trash bucket are now in the trash; tasks in one that stops being a trash bucket
   * leave it. Must come before `put`, which says of each record that it writes whether it is in the trash.
   */
  move(buckets: readonly { readonly id: string; readonly trashed: number }[]): Promise<void>;
};

/** Who works on which task. Only claims that are not over are ever returned. */
type Claims = {
  /** Returns the claim on a task; null if nobody works on it. */
  of(taskId: string): Promise<Claim | null>;
  find(id: string): Promise<Claim | null>;
  all(): Promise<readonly Claim[]>;
  put(claim: Claim): Promise<void>;
  end(taskIds: readonly string[]): Promise<void>;
  /** Returns the id of the list's first task; null if it is empty. */
  first(asked: Pick<ListRequest, "filter" | "restriction">): Promise<string | null>;
};

type Departures = {
  /** Notes what left folders and the inbox, by the stamp of the transaction. */
  add(left: readonly Departure[], stamp: Instant): Promise<void>;
};

type Imports = {
  /** Begins an import of `total` items, or continues an unfinished one of the same file. */
  open(file: ImportName, total: number): Promise<{ readonly id: number; readonly done: number }>;
  /** Returns the tasks that imports have made of what a source calls by this name, the oldest first. */
  madeOf(source: string): Promise<readonly string[]>;
  /** Notes what an import has made, or the tabs that it has added. */
  note(importId: number, one: Imported): Promise<void>;
  /** Notes how far an import has come. */
  progress(importId: number, soFar: ImportedSoFar, isFinished: boolean): Promise<void>;
};

/** What names the import of a file. */
export type ImportName = {
  readonly name: string;
  readonly format: string;
  /** SHA-256 of the file and of how it is read. */
  readonly digest: string;
  readonly leftOut: readonly LeftOut[];
  /** Names the uploaded file, so that the server can go on with it; null or missing if it is not on the server. */
  readonly upload?: string | null;
};

/** What an import has made, or added tabs to. */
export type Imported = RecordKey & {
  /** What its source calls it; null for a folder. */
  readonly source: string | null;
  /** The stamp of the record as the import left it. */
  readonly stamp: Instant;
  /** The ids of the tabs that were added to a task; null for what the import made. */
  readonly tabs: readonly string[] | null;
};

/** How many tasks of its file an import has done, and what it has made in one transaction. */
export type ImportedSoFar = {
  readonly done: number;
  readonly folders: number;
  readonly tasks: number;
  readonly tabs: number;
  readonly notes: number;
  /** Tasks that were there already. */
  readonly known: number;
};

/** The task that receives tabs filed without a task. */
type Inbox = {
  /** Returns its id, or null if there has not been one yet. */
  find(): Promise<string | null>;
  set(taskId: string): Promise<void>;
};

/** The stamp after which all versions of an account are still stored, and what restores have made of its data. */
export type Kept = {
  readonly since: Instant;
  readonly restored: readonly Restore[];
  /** What stands for the epoch of the data in revisions. */
  readonly mark: string;
};

/** Stored versions of records: the replaced and refused ones, not the current ones. */
export type History = {
  /**
   * Stores versions, those of one record in this order, adds them to the account's total, and deletes its oldest ones
   * above the quota.
   */
  keep(versions: readonly NewVersion[]): Promise<void>;
  find(id: number): Promise<VersionRow | null>;
  /** Returns the record's next versions before that id, newest first; empty when there are no more. */
  before(record: RecordKey, id: number): Promise<readonly VersionRow[]>;
  /** Returns the id of the other task that the same call of a key changed; null if it changed none. */
  otherTask(version: VersionRow): Promise<string | null>;
  /** Whether a refused version with this digest is stored for the record. */
  wasRefused(record: RecordKey, digest: string): Promise<boolean>;
  kept(): Promise<Kept>;
  /** Notes that a push deleted an unusually large number of records. */
  noteDeletion(sessionId: string | null, records: number): Promise<void>;
  /** Notes that the records deleted by such a push were restored. */
  noteRestored(deletionId: number): Promise<void>;
};

type Sync = {
  /** Returns the stamp for the account's records in this transaction, above every stamp given out before. */
  stamp(): Promise<Instant>;
  /** Returns what a session is known to have stored. */
  ack(sessionId: string): Promise<Ack>;
  /** Adds a push to the counts of the session that sent it. */
  count(sessionId: string, done: PushCounts): Promise<void>;
};

export type PushCounts = { readonly applied: number; readonly rejected: number };

type Calls = {
  /** Stores the trace of a call: its row in the activity list and, if it must be repeatable, its reply. */
  record(trace: CallTrace): Promise<void>;
};

/** Runs a job in its own transaction. Resolves once its writes are on the disk. */
export type Transact = <Value>(
  accountId: number,
  now: Instant,
  job: (tx: Transaction) => Promise<Value>,
) => Promise<Value>;
