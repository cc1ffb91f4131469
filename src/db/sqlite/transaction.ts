import type { Database } from "bun:sqlite";
import { Refusal } from "../../domain/base/refusal.ts";
import { type ServerClock, stampsOf } from "../records/clock.ts";
import type { Attempt } from "../transaction.ts";
import type { Orm } from "../query.ts";
import type { Tx } from "../writer.ts";

export type Batch = Tx & {
  /** Runs a job. If it fails, its writes are undone, and the error is thrown on. */
  readonly run: (job: () => Promise<void>) => Promise<void>;
  readonly committed: () => void;
};

/** The transaction just begun on `database`, as its jobs see it. */
export const startBatch = (database: Database, orm: Orm, clock: ServerClock): Batch => {
  // Most transactions give none.
  let given: ReturnType<typeof stampsOf> | null = null;
  const stamps = () => (given ??= stampsOf(orm, clock));
  // `query` keeps what it has compiled.
  const run = (sql: string): void => void database.query(sql).run();
  const changes = (): number =>
    database.query<{ count: number }, []>("SELECT total_changes() AS count").get()?.count ?? 0;
  /** How many rows had been changed when the present job began; -1 if it has no savepoint. */
  let before = -1;

  /** Does work after a savepoint, and goes back to that if the work fails, or in any case if it is a trial. */
  const after = async <T>(point: string, work: () => Promise<T>, isTrial: boolean): Promise<T> => {
    let goesBack = true;
    try {
      const value = await work();
      goesBack = isTrial;
      return value;
    } finally {
      if (goesBack && database.inTransaction) {
        run(`ROLLBACK TO ${point}`);
        given?.forget();
      }
    }
  };
  const between = async <T>(point: string, work: () => Promise<T>, isTrial = false): Promise<T> => {
    run(`SAVEPOINT ${point}`);
    try {
      return await after(point, work, isTrial);
    } finally {
      if (database.inTransaction) run(`RELEASE ${point}`);
    }
  };
  const attempt = async <T>(work: () => Promise<T>, isTrial: boolean): Promise<Attempt<T>> => {
    // Until a job has changed something, it can go back to where it began: one savepoint is enough for both.
    const does =
      changes() === before ? after("job", work, isTrial) : between("attempt", work, isTrial);
    try {
      return { done: true, value: await does };
    } catch (error) {
      if (!database.inTransaction || !(error instanceof Refusal)) throw error;
      return { done: false, refusal: error };
    }
  };
  return {
    orm,
    nextStamp: async (accountId, now) => (await stamps().next(accountId, now)).changedAt,
    stamp: (accountId, now) => stamps().give(accountId, now),
    attempt: (work) => attempt(work, false),
    rehearse: (work) => attempt(work, true),
    run: (job) =>
      between("job", () => {
        before = changes();
        return job();
      }),
    committed: () => {
      if (given) clock.lease = Math.max(clock.lease, given.lease());
    },
  };
};
