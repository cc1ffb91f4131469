import type { Database, Statement } from "bun:sqlite";
import { type Orm, perConnection } from "./orm.ts";

/** The reads of one connection within one turn of the event loop. */
type SharedRead = {
  /** Before anything is asked. Returns a mark that is another one once the data are others. */
  readonly enter: () => object;
  /** Before a query: what the turn's other queries saw is what it sees. */
  readonly read: () => void;
};

const sharedReads = new WeakMap<Orm, SharedRead>();

/** Before a read: of a connection that shares turns, see `shareTurns`; else nothing is done. */
export const enterSharedRead = (orm: Orm): void => sharedReads.get(orm)?.read();

export type SharedReads = {
  /** Ends the turn before its time: who was answered must find what was written. */
  readonly leave: () => void;
  /** This process wrote something that is remembered (see `remembered`). */
  readonly forget: () => void;
};

/**
 * Lets the `direct` reads of a connection within one turn of the event loop share one transaction: else SQLite takes its
 * lock and looks for changes at each of the queries that a call needs, which takes longer than most of them. What
 * other processes write is asked of `writer`, this process's only connection that writes: SQLite tells by
 * `data_version` of all commits but the connection's own.
 */
export const shareReads = (orm: Orm, writer: Database): SharedReads => {
  const { $client: database } = orm;
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
      // It was closed, or its file is damaged: then the next read tells, to someone who asked.
    }
  };
  // Asked before the turn's first read: what is read is never older than the mark under which it is kept.
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
  sharedReads.set(orm, { enter, read });
  return { leave, forget };
};

/** Null where it cannot be told: what is read next tells why, to someone who asked. */
const versionOf = (version: Statement<unknown, []>): number | null => {
  try {
    return Number(version.values()[0]?.[0]);
  } catch {
    return null;
  }
};

/** Answers of one kind that are kept at a time. */
const KEPT = 1_000;

/**
 * What nearly every call asks, and hardly ever changes: found once, and then answered from memory as long as nothing
 * but traces is written, by whichever process. That is asked once in each turn, so whatever is revoked is refused at once. What
 * is not there (undefined) is looked for again. Of connections that share no turns, nothing is remembered.
 *
 * What a call leaves behind (`recordTrace`) must not be among it: it is written without anything being forgotten.
 */
export const remembered = <Key, Value>(
  find: (orm: Orm, key: Key) => Value,
): ((orm: Orm, key: Key) => Value) => {
  const memoryOf = perConnection(() => ({ mark: {}, known: new Map<Key, Value>() }));
  return (orm, key) => {
    const turn = sharedReads.get(orm);
    if (!turn) return find(orm, key);
    const mark = turn.enter();
    const memory = memoryOf(orm);
    if (memory.mark !== mark || memory.known.size >= KEPT) memory.known.clear();
    memory.mark = mark;
    const known = memory.known.get(key);
    if (known !== undefined) return known;
    const found = find(orm, key);
    if (found !== undefined) memory.known.set(key, found);
    return found;
  };
};
