import type { Orm } from "./orm.ts";

const entering = new WeakMap<Orm, () => void>();

/** Before a read: of a connection that shares turns, see `shareTurns`; else nothing is done. */
export const enterTurn = (orm: Orm): void => entering.get(orm)?.();

/**
 * Lets all reads of a connection within one turn of the event loop share one transaction: else SQLite takes its
 * lock and looks for changes at each of the queries that a call needs, which takes longer than most of them.
 * Returns what ends it before that, for the writer: who was answered must find what was written.
 */
export const shareTurns = (orm: Orm): (() => void) => {
  const { $client: database } = orm;
  const [begin, end] = [database.prepare("BEGIN"), database.prepare("ROLLBACK")];
  const leave = (): void => {
    try {
      if (database.inTransaction) end.run();
    } catch {
      // It was closed, or its file is damaged: then the next read tells, to someone who asked.
    }
  };
  entering.set(orm, () => {
    if (database.inTransaction) return;
    begin.run();
    setImmediate(leave);
  });
  return leave;
};
