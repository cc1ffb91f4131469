import type { Database } from "bun:sqlite";
import { mapInOrder } from "../../domain/base/in-order.ts";
import type { Refusal } from "../../domain/base/refusal.ts";
import type { ServerClock } from "../records/clock.ts";
import {
  isBusy,
  isStorageFault,
  isUnsure,
  sqliteCode,
  storageRefusal,
  unsure,
  UnsureCommit,
} from "./faults.ts";
import type { Orm } from "../query.ts";
import type { SharedReads } from "./shared-reads.ts";
import { type Batch, startBatch } from "./transaction.ts";
import type { Tx, Writer } from "../writer.ts";
import type { WalKeeper } from "./log.ts";

export type WriterOptions = {
  readonly wal: WalKeeper;
  /** The shared reads of the same data, which must see new writes at once. */
  readonly sharedReads?: SharedReads;
  /**
   * Called at once if the disk did not confirm a write; must end the process. From then on nothing is written
   * and no waiting caller is answered. Without it, they are refused.
   */
  readonly onFatal: ((cause: unknown) => void) | undefined;
};

const RETRY = 10;
/** The longest time for which traces are gathered, in ms. */
const MAX_GATHERING = 3;
/** After this time, in ms, callers that can go on without their write stop waiting for it. */
const IMPATIENT_AFTER = 100;
/** How often they look whether a long write is under way, in ms. */
const SOON = 15;
/** Jobs in one commit. This bounds how long the event loop is held. */
const BATCH = 256;

type State = WriterOptions & {
  readonly database: Database;
  readonly orm: Orm;
  readonly clock: ServerClock;
  readonly queue: Job[];
  readonly idle: (() => void)[];
  /** Callers that go on without their write if it has to wait. */
  readonly impatient: Set<() => void>;
  scheduled: boolean;
  /** Whether a transaction is open. It may stay open for several turns while a job waits for something. */
  running: boolean;
  /** Whether the next commit waits until the log has room. */
  waitsForLog: boolean;
  /** Since when writes wait for another process's lock, in ms; null if they do not. */
  blockedAt: number | null;
  failing: boolean;
  /** Why nothing is written any more. */
  ended: Refusal | null;
};

/**
 * Group commit: whatever arrives while one commit runs shares the next one, and one fsync. Each job succeeds
 * or fails separately; all are answered after COMMIT. The connection's busy timeout is 0, because SQLite
 * would wait inside the event loop; a timer waits here instead.
 */
export const startWriter = (
  database: Database,
  orm: Orm,
  clock: ServerClock,
  options: WriterOptions,
): Writer => {
  const flags = {
    scheduled: false,
    running: false,
    waitsForLog: false,
    blockedAt: null,
    failing: false,
    ended: null,
  };
  const lists = { queue: [], idle: [], impatient: new Set<() => void>() };
  const state: State = { ...options, ...flags, ...lists, database, orm, clock };
  state.wal.onUnsure((cause) => end(state, [], cause));
  return {
    write: (job, leaves = "data") =>
      new Promise((resolve, reject) => {
        if (state.ended) return reject(state.ended);
        let value: Awaited<ReturnType<typeof job>>;
        state.queue.push({
          run: async (tx) => {
            value = await job(tx);
          },
          resolve: () => resolve(value),
          reject,
          deadline: null,
          leaves,
        });
        schedule(state, 0);
      }),
    isBlocked: () => state.blockedAt !== null,
    writtenOrBlocked: (written) =>
      new Promise((resolve) => {
        const go = (): void => {
          state.impatient.delete(go);
          resolve();
        };
        state.impatient.add(go);
        void written.then(go);
      }),
    writtenOrLate: async (written) => {
      await Promise.race([written, untilLate(state)]);
    },
    isFailing: () => state.failing,
    drain: () =>
      state.queue.length === 0 && !state.running
        ? Promise.resolve()
        : new Promise((resolve) => state.idle.push(resolve)),
    emptyLog: (bytes) => emptyLog(state, bytes),
  };
};

const schedule = (state: State, delay: number): void => {
  // While a transaction is open, its end starts the next one.
  if (state.scheduled || state.running) return;
  state.scheduled = true;
  if (delay === 0) setImmediate(gather, state, 0, performance.now() + MAX_GATHERING);
  else setTimeout(flush, delay, state);
};

/**
 * Nobody waits for traces except their own calls, so they are held for a moment, as long as each turn brings
 * more: one sync then covers them all. A change of data is committed in its own turn.
 */
const gather = (state: State, before: number, until: number): void => {
  const { length } = state.queue;
  const waits = state.queue.every(({ leaves }) => leaves !== "data");
  if (waits && length > before && length < BATCH && performance.now() < until)
    setImmediate(gather, state, length, until);
  else flush(state);
};

const flush = (state: State): void => {
  const room = state.wal.room();
  if (room === null) void commitNext(state);
  // The writes wait for the log, and nothing else does.
  else {
    state.waitsForLog = true;
    room.then(
      () => {
        state.waitsForLog = false;
        void commitNext(state);
      },
      () => {
        // `onUnsure` has ended everything.
      },
    );
  }
};

const commitNext = async (state: State): Promise<void> => {
  const batch = state.queue.splice(0, BATCH);
  state.scheduled = false;
  state.running = true;
  const onCommit = (): void => {
    closed(state, batch);
  };
  try {
    state.sharedReads?.leave();
    const { database, orm, clock, wal } = state;
    await commitAll({ database, orm, clock, onCommit, still: wal.still }, batch);
    // A transaction that changed nothing wrote nothing, so it proves nothing about the storage.
    if (wal.checkpoint()) state.failing = false;
  } catch (error) {
    return fail(state, batch, error);
  }
  goOn(state, []);
};

/**
 * Ends the transaction. Any read after this sees its writes, even within the same turn of the event loop as
 * an earlier read.
 */
const closed = (state: State, batch: readonly Job[]): void => {
  state.running = false;
  state.clock.pending.clear();
  state.sharedReads?.leave();
  if (batch.some(({ leaves }) => leaves === "data")) state.sharedReads?.forget();
};

const fail = (state: State, batch: readonly Job[], error: unknown): void => {
  if (isUnsure(error)) return end(state, batch, error);
  rollBack(state.database);
  closed(state, batch);
  const waiting = refuse(batch, error);
  state.failing ||= waiting.length === 0 && isStorageFault(error);
  goOn(state, waiting);
};

/** `waiting` are jobs to try again, ahead of all that came after them. */
const goOn = (state: State, waiting: readonly Job[]): void => {
  state.queue.unshift(...waiting);
  noteBlocked(state, waiting.length > 0);
  if (state.queue.length > 0) return schedule(state, state.blockedAt === null ? 0 : RETRY);
  rest(state);
};

/**
 * Resolves after a while, or soon if a long write is under way or the log has no room: a short write is never open between
 * two turns.
 */
const untilLate = async (state: State): Promise<void> => {
  const began = performance.now();
  do await Bun.sleep(SOON);
  while (!isSlow(state) && performance.now() - began < IMPATIENT_AFTER);
};

const isSlow = ({ running, waitsForLog }: State): boolean => running || waitsForLog;

const noteBlocked = (state: State, blocked: boolean): void => {
  const now = performance.now();
  state.blockedAt = blocked ? (state.blockedAt ?? now) : null;
  if (state.blockedAt !== null && now - state.blockedAt >= IMPATIENT_AFTER)
    for (const go of state.impatient) go();
};

const rest = (state: State): void => {
  for (const resolve of state.idle.splice(0)) resolve();
};

/**
 * After a failed sync the system may consider pages written that are not, and a second sync would then
 * succeed (lwn.net/Articles/752063). So nothing is retried until the files have been read again.
 */
const end = (state: State, batch: readonly Job[], cause: unknown): void => {
  state.ended = unsure(cause);
  state.failing = true;
  state.running = false;
  // The commit itself may have succeeded, and only what follows it failed.
  state.sharedReads?.forget();
  const left = [...batch, ...state.queue.splice(0)];
  if (state.onFatal) state.onFatal(cause);
  else for (const job of left) job.reject(state.ended);
  rest(state);
};

const emptyLog = (state: State, bytes: number): number | null => {
  if (state.ended || state.running) return null;
  // Our own reads would prevent that too.
  state.sharedReads?.leave();
  try {
    return state.wal.empty(bytes);
  } catch (error) {
    if (isUnsure(error)) end(state, [], error);
    return null;
  }
};

/** A write waiting for its turn. */
export type Job = {
  readonly run: (tx: Tx) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Until when it waits for another process's lock; null before it has met one. */
  deadline: number | null;
  readonly leaves: "data" | "row" | "trace";
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
  const answers = await mapInOrder(batch, (job) =>
    outcomeOf(database, job, tx, batch.length === 1),
  );
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

/**
 * Runs a job. Returns how to answer it after COMMIT. A job that is alone is undone with the transaction, and one row that
 * cannot be written leaves nothing to undo.
 */
const outcomeOf = async (
  database: Database,
  job: Job,
  tx: Batch,
  isAlone: boolean,
): Promise<() => void> => {
  try {
    await (isAlone || job.leaves === "row" ? job.run(tx) : tx.run(() => job.run(tx)));
    return job.resolve;
  } catch (error) {
    // SQLite rolled back the whole transaction (disk full, I/O error): no job's changes are stored.
    if (isAlone || !database.inTransaction || isUnsure(error)) throw error;
    return () => job.reject(storageRefusal(error));
  }
};

/** If the storage fails, the rollback may fail too: SQLite has then ended the transaction itself. */
const rollBack = (database: Database): void => {
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
const refuse = (batch: readonly Job[], error: unknown): readonly Job[] => {
  const now = performance.now();
  const waiting = isBusy(error)
    ? batch.filter((job) => now < (job.deadline ??= now + LOCK_TIMEOUT))
    : [];
  for (const job of batch) if (!waiting.includes(job)) job.reject(storageRefusal(error));
  return waiting;
};

/**
 * Commits. If the disk was full or a write failed, nothing was stored: the page that completes the commit was
 * not fully written. Any other storage error may come after that page, so the commit is unsure.
 */
const commitNow = (database: Database): void => {
  try {
    database.query("COMMIT").run();
  } catch (error) {
    const code = sqliteCode(error);
    if (!/^SQLITE_(IOERR|NOMEM)/.test(code) || code === "SQLITE_IOERR_WRITE") throw error;
    throw new UnsureCommit(`COMMIT failed: ${code}`, { cause: error });
  }
};
