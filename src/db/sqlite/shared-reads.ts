import type { Database, Statement } from "bun:sqlite";

/** The reads of one connection within one turn of the event loop. */
type SharedRead = {
  /** Call before any read. Returns a version token that changes whenever the data change. */
  readonly enter: () => object;
  /** Call before a query. It then sees the same data as the turn's other queries. */
  readonly read: () => void;
};

const sharedReads = new WeakMap<Database, SharedRead>();

/** Call before a read. Does nothing on a connection that does not share reads (see `shareReads`). */
export const enterSharedRead = (database: Database): void => sharedReads.get(database)?.read();

/** The token of the turn's reads; null on a connection that does not share reads. */
export const markOf = (database: Database): object | null =>
  sharedReads.get(database)?.enter() ?? null;

export type SharedReads = {
  /** Ends the shared transaction early: a read after a confirmed write must see it. */
  readonly leave: () => void;
  /** Call after this process wrote something that `remembered` may have cached. */
  readonly forget: () => void;
};

/**
 * Lets the `direct` reads of a connection share one transaction within a turn of the event loop. Otherwise
 * SQLite locks the database and checks for changes at each query of a call, which takes longer than most of
 * the queries. Writes by other processes are noticed through `writer`, which must be this process's only
 * writing connection: SQLite's `data_version` reports all commits except the connection's own.
 */
export const shareReads = (database: Database, writer: Database): SharedReads => {
  const [begin, end] = [database.prepare("BEGIN"), database.prepare("ROLLBACK")];
  const version = writer.prepare<unknown, []>("PRAGMA data_version");
  let mark = {};
  let seen: number | null = null;
  let [entered, reading] = [false, false];
  const forget = (): void => {
    mark = {};
  };
  const leave = (): void => {
    entered = false;
    if (!reading) return;
    reading = false;
    try {
      end.run();
    } catch {
      // The connection was closed or its file is damaged: the next read reports that to its caller.
    }
  };
  // Read the token before the turn's first read: a cached value is then never older than its token.
  const enter = (): object => {
    if (entered) return mark;
    entered = true;
    setImmediate(leave);
    const now = versionOf(version);
    if (now === null || now !== seen) forget();
    seen = now;
    return mark;
  };
  const read = (): void => {
    enter();
    if (reading) return;
    begin.run();
    reading = true;
  };
  sharedReads.set(database, { enter, read });
  return { leave, forget };
};

/** Null if it cannot be read; the next read then reports why to its caller. */
const versionOf = (version: Statement<unknown, []>): number | null => {
  try {
    return Number(version.values()[0]?.[0]);
  } catch {
    return null;
  }
};
