import { Refusal } from "../../domain/base/refusal.ts";
import { type ServerClock, stampsOf } from "../records/clock.ts";
import type { Attempt } from "../transaction.ts";
import type { Tx, Writer } from "../writer.ts";
import type { Connection, Pool } from "./driver.ts";
import { NotLeading, writeRefusal } from "./faults.ts";
import { HOLDER } from "./lead.ts";
import { ormOf } from "./orm.ts";

type Job = {
  readonly run: (tx: Tx) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/** Jobs in one commit. */
const BATCH = 256;
/** After this time, in ms, callers that can go on without their write stop waiting for it. */
const IMPATIENT_AFTER = 100;

/**
 * Group commit, as on the embedded database: whatever arrives while one commit runs shares the next one. `holder` is the name
 * under which this server works on the database; null for a command, which writes beside any server. If another server has
 * taken over, nothing is written and `onLost` is called.
 */
export const startWriter = (
  pool: Pool,
  clock: ServerClock,
  holder: string | null,
  onLost: () => void,
): Writer => {
  const queue: Job[] = [];
  const idle: (() => void)[] = [];
  let [running, failing] = [false, false];

  const work = async (): Promise<void> => {
    running = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      const outcome = await commit(pool, clock, holder, batch);
      failing = outcome !== "stored";
      if (outcome === "lost") onLost();
    }
    running = false;
    for (const resolve of idle.splice(0)) resolve();
  };

  return {
    write: (job) =>
      new Promise((resolve, reject) => {
        let value: Awaited<ReturnType<typeof job>>;
        const run = async (tx: Tx): Promise<void> => {
          value = await job(tx);
        };
        queue.push({ run, resolve: () => resolve(value), reject });
        if (!running) {
          running = true;
          setImmediate(() => void work());
        }
      }),
    drain: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
    isBlocked: () => false,
    // While the database takes no writes, each of them would wait until its deadline.
    writtenOrBlocked: (written) => (failing ? late(written) : written.then(() => {})),
    writtenOrLate: late,
    isFailing: () => failing,
    emptyLog: () => null,
  };
};

const late = (written: Promise<unknown>): Promise<void> =>
  Promise.race([written.then(() => {}), Bun.sleep(IMPATIENT_AFTER)]);

/** Runs jobs in one transaction, one after the other, each with its own undo. */
const commit = async (
  pool: Pool,
  clock: ServerClock,
  holder: string | null,
  batch: readonly Job[],
): Promise<"failed" | "lost" | "stored"> => {
  let connection: Connection | null = null;
  const answers: (() => void)[] = [];
  let isCommitting = false;
  try {
    connection = await pool.connect();
    const tx = await begin(connection, clock, holder);
    for (const job of batch) answers.push(await outcomeOf(job, tx));
    isCommitting = true;
    await tx.commit();
    for (const answer of answers) answer();
    connection.release();
    return "stored";
  } catch (error) {
    clock.pending.clear();
    connection?.release(true);
    const refusal = writeRefusal(error, isCommitting);
    for (const { reject } of batch) reject(refusal);
    return error instanceof NotLeading ? "lost" : "failed";
  }
};

const outcomeOf = async (job: Job, tx: Begun): Promise<() => void> => {
  try {
    await tx.between(() => job.run(tx), false);
    return job.resolve;
  } catch (error) {
    if (tx.isLost(error)) throw error;
    return () => job.reject(error);
  }
};

type Begun = Tx & {
  readonly between: <T>(work: () => Promise<T>, isTrial: boolean) => Promise<T>;
  readonly isLost: (error: unknown) => boolean;
  readonly commit: () => Promise<void>;
};

const begin = async (
  connection: Connection,
  clock: ServerClock,
  holder: string | null,
): Promise<Begun> => {
  const orm = ormOf(connection.query);
  const stamps = stampsOf(orm, clock);
  const run = (text: string) => connection.query({ text, values: [], asLists: false });
  let depth = 0;
  // Both are sent at once.
  const [, { rows }] = await Promise.all([run("begin"), connection.query(HOLDER)]);
  if (holder !== null && (rows[0] as readonly unknown[])[0] !== holder)
    throw new NotLeading("Another server works on this database.");

  const between = async <T>(work: () => Promise<T>, isTrial: boolean): Promise<T> => {
    depth += 1;
    const point = `point_${depth}`;
    await run(`savepoint ${point}`);
    let goesBack = true;
    try {
      const value = await work();
      goesBack = isTrial;
      return value;
    } finally {
      depth -= 1;
      if (goesBack) {
        stamps.forget();
        await run(`rollback to ${point}`);
      }
      await run(`release ${point}`);
    }
  };
  const attempt = async <T>(work: () => Promise<T>, isTrial: boolean): Promise<Attempt<T>> => {
    try {
      return { done: true, value: await between(work, isTrial) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { done: false, refusal: error };
    }
  };
  return {
    orm,
    nextStamp: async (accountId, now) => (await stamps.next(accountId, now)).changedAt,
    stamp: (accountId, now) => stamps.give(accountId, now),
    attempt: (work) => attempt(work, false),
    rehearse: (work) => attempt(work, true),
    between,
    isLost: (error) => writeRefusal(error, false) !== error,
    commit: async () => {
      await run("commit");
      clock.lease = Math.max(clock.lease, stamps.lease());
      clock.pending.clear();
    },
  };
};
