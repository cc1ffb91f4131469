import type { Database } from "bun:sqlite";
import type { Refusal } from "../../domain/base/refusal.ts";
import { andThen, settle } from "../../domain/base/maybe-promise.ts";
import { commitAll, type Job, refuse, rollBack } from "./batch.ts";
import type { ServerClock } from "../records/clock.ts";
import { isStorageFault, isUnsure, unsure } from "./faults.ts";
import type { Orm } from "./orm.ts";
import type { SharedReads } from "./shared-reads.ts";
import type { WalKeeper } from "./log.ts";
import type { Writer } from "./transaction.ts";

export type WriterOptions = {
  readonly wal: WalKeeper;
  /** The reads of the same data: what is read next must see what is written now. */
  readonly sharedReads?: SharedReads;
  /**
   * Called at once when the disk did not confirm what was written. From then on nothing is written, and
   * nobody who was waiting is answered: it must end the process. Without it, they are refused.
   */
  readonly onFatal: ((cause: unknown) => void) | undefined;
};

/** How long a write waits for another process that holds the database's write lock, in ms. */
const PATIENCE = 5_000;
const RETRY = 10;
/** How long traces are gathered at most, in ms. */
const GATHERING = 3;
/** From then on, in ms, nobody waits who need not. */
const SHORTLY = 100;
/** Jobs in one commit: bounds how long the event loop is held. */
const BATCH = 256;

type State = WriterOptions & {
  readonly database: Database;
  readonly orm: Orm;
  readonly clock: ServerClock;
  readonly queue: Job[];
  readonly idle: (() => void)[];
  /** Those who go on without their write where it has to wait. */
  readonly impatient: Set<() => void>;
  scheduled: boolean;
  /** Whether a transaction is open: it may be, for several turns, where a job waits for something. */
  running: boolean;
  /** Since when writes wait for another process's lock, null if they do not. */
  blockedAt: number | null;
  failing: boolean;
  /** Why nothing is written any more. */
  ended: Refusal | null;
};

/**
 * Group commit: what arrives while one commit runs shares the next one, and one fsync. Each job stands or
 * falls by itself; all are answered after COMMIT. The connection's busy timeout is 0: SQLite would
 * wait inside the event loop, so a timer waits here instead.
 */
export const startWriter = (
  database: Database,
  orm: Orm,
  clock: ServerClock,
  options: WriterOptions,
): Writer => {
  const flags = { scheduled: false, running: false, blockedAt: null, failing: false, ended: null };
  const lists = { queue: [], idle: [], impatient: new Set<() => void>() };
  const state: State = { ...options, ...flags, ...lists, database, orm, clock };
  return {
    write: (job, leaves = "data") =>
      new Promise((resolve, reject) => {
        if (state.ended) return reject(state.ended);
        let value: Awaited<ReturnType<typeof job>>;
        state.queue.push({
          run: (tx) =>
            andThen(job(tx), (returned) => {
              value = returned as typeof value;
            }),
          resolve: () => resolve(value),
          reject,
          deadline: performance.now() + PATIENCE,
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
    isFailing: () => state.failing,
    drain: () =>
      state.queue.length === 0 && !state.running
        ? Promise.resolve()
        : new Promise((resolve) => state.idle.push(resolve)),
    emptyLog: (bytes) => emptyLog(state, bytes),
  };
};

const schedule = (state: State, delay: number): void => {
  // While a transaction is open, the next one is begun at its end.
  if (state.scheduled || state.running) return;
  state.scheduled = true;
  if (delay === 0) setImmediate(gather, state, 0, performance.now() + GATHERING);
  else setTimeout(flush, delay, state);
};

/**
 * Traces, which are waited for by those who left them alone, wait for a moment as long as each turn brings more: one
 * sync is then for all of them. What changes data is committed in its own turn.
 */
const gather = (state: State, before: number, until: number): void => {
  const { length } = state.queue;
  const waits = state.queue.every(({ leaves }) => leaves === "trace");
  if (waits && length > before && length < BATCH && performance.now() < until)
    setImmediate(gather, state, length, until);
  else flush(state);
};

const flush = (state: State): void => {
  const batch = state.queue.splice(0, BATCH);
  state.scheduled = false;
  state.running = true;
  const onCommit = (): void => {
    closed(state, batch);
  };
  void settle(
    () => {
      state.sharedReads?.leave();
      const { database, orm, clock } = state;
      return andThen(commitAll({ database, orm, clock, onCommit }, batch), () => {
        // What changed nothing was not written, and tells nothing of the storage.
        if (state.wal.checkpoint()) state.failing = false;
      });
    },
    () => goOn(state, []),
    (error) => fail(state, batch, error),
  );
};

/** The transaction is over. Who is answered next finds what was written, also in a turn in which was read before. */
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

/** `waiting` are those that are tried again, before all that came after them. */
const goOn = (state: State, waiting: readonly Job[]): void => {
  state.queue.unshift(...waiting);
  noteBlocked(state, waiting.length > 0);
  if (state.queue.length > 0) return schedule(state, state.blockedAt === null ? 0 : RETRY);
  rest(state);
};

const noteBlocked = (state: State, blocked: boolean): void => {
  const now = performance.now();
  state.blockedAt = blocked ? (state.blockedAt ?? now) : null;
  if (state.blockedAt !== null && now - state.blockedAt >= SHORTLY)
    for (const go of state.impatient) go();
};

const rest = (state: State): void => {
  for (const resolve of state.idle.splice(0)) resolve();
};

/**
 * After a failed sync the system may take for written what is not, and a second sync would say that all
 * is well (lwn.net/Articles/752063): nothing is tried again before the files were read anew.
 */
const end = (state: State, batch: readonly Job[], cause: unknown): void => {
  state.ended = unsure(cause);
  state.failing = true;
  state.running = false;
  // The commit itself may have been done, and only what follows it failed.
  state.sharedReads?.forget();
  const left = [...batch, ...state.queue.splice(0)];
  if (state.onFatal) state.onFatal(cause);
  else for (const job of left) job.reject(state.ended);
  rest(state);
};

const emptyLog = (state: State, bytes: number): number | null => {
  if (state.ended || state.running) return null;
  // Our own reads would keep it from that as well.
  state.sharedReads?.leave();
  try {
    return state.wal.empty(bytes);
  } catch (error) {
    if (isUnsure(error)) end(state, [], error);
    return null;
  }
};
