import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { isUnsure } from "./faults.ts";

/** SQLite's write-ahead log beside the database, into which all commits go first. */
export type WalKeeper = {
  /**
   * Has the log moved into the database once it is long enough, on a thread of its own. Returns whether anything was
   * written since the last call. Throws only after a failed sync.
   */
  readonly checkpoint: () => boolean;
  /**
   * Returns null if the log has room for more, otherwise a promise that resolves once it does: the next write then
   * starts the log again from its beginning. Rejects only after a failed sync.
   */
  readonly room: () => Promise<void> | null;
  /** Resolves once the log is not being moved: its thread then does not keep the disk busy. Never rejects. */
  readonly still: () => Promise<void>;
  /** Calls `tell` at once if a sync fails on the thread. */
  readonly onUnsure: (tell: (cause: unknown) => void) => void;
  /** Ends the thread. After that, the log is no longer moved. */
  readonly end: () => Promise<void>;
  /**
   * Truncates the log if its file has more than `bytes`. Returns its size in bytes if another process
   * prevents that, otherwise null. If much of it is not moved yet, that is done first, on the thread, and it is
   * truncated next time. A huge log is also truncated on the thread. With 0 bytes, all is done at once. Throws if the
   * storage fails.
   */
  readonly empty: (bytes: number) => number | null;
};

/** A log of this many bytes is moved into the database. SQLite's own default is the same for pages of 4 KiB. */
const LONG = 4_096_000;
/** A log of this many bytes gets no more until all of it is moved. */
const FULL = 32_768_000;
/** To truncate a log of this many bytes takes long: 78 ms for 420 MB, and 151 ms for 830 MB. */
const HUGE = 67_108_864;

/**
 * Looks after a server's log. SQLite would move it into the database by itself after a commit, but would not
 * report errors, and a failed sync must be noticed.
 */
export const keepWal = (database: Database, file: string): WalKeeper => {
  database.run("PRAGMA wal_autocheckpoint = 0");
  // Otherwise, the first commit after a long one would truncate it.
  database.run("PRAGMA journal_size_limit = -1");
  const look = database.query<Checkpoint, []>("PRAGMA wal_checkpoint(NOOP)");
  const cut = database.query<Checkpoint, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  const { page_size } = database.query<PageSize, []>("PRAGMA page_size").get() ?? USUAL;
  const [long, full] = [LONG / page_size, FULL / page_size];
  const mover = startMover(file);
  let [seen, length] = [0, 0];
  const state = (): Checkpoint => look.get() ?? NOTHING;
  let hasEnded = false;
  /** Whether the last move left much where it was: another process's read prevents it. */
  let isStuck = false;
  const hasMuch = ({ log, checkpointed }: Checkpoint): boolean => log - checkpointed > long;
  const makeRoom = async (): Promise<void> => {
    await mover.move();
    // The first move may have begun before the last commit.
    if (isBehind(state())) await mover.move();
    // If another process's read prevents it, the log grows until that ends: its owner is told (maintenance.ts).
    length = 0;
  };
  const moveMuch = async (): Promise<void> => {
    await makeRoom();
    isStuck = hasMuch(state());
    if (sizeOf(file) > HUGE && !isStuck) await mover.truncate();
  };
  return {
    checkpoint: () => {
      const now = state();
      mover.check();
      // The last write of a stop must not start the thread again: nobody would wait for it.
      if (now.log >= long && isBehind(now) && !hasEnded) void mover.move().catch(() => {});
      const written = now.log !== seen;
      [seen, length] = [now.log, isBehind(now) ? now.log : 0];
      return written;
    },
    room: () => (length < full || hasEnded ? null : makeRoom()),
    still: mover.still,
    onUnsure: mover.onUnsure,
    end: () => {
      hasEnded = true;
      return mover.end();
    },
    empty: (bytes) => {
      if (sizeOf(file) <= bytes || mover.isMoving()) return null;
      const isLong = hasMuch(state()) || sizeOf(file) > HUGE;
      // Truncating it would move it first, here, and nothing else is answered meanwhile.
      if (bytes > 0 && isLong && !hasEnded && !isStuck) {
        void moveMuch().catch(() => {});
        return null;
      }
      const { busy } = cut.get() ?? NOTHING;
      isStuck = busy !== 0;
      return busy === 0 ? null : sizeOf(file);
    },
  };
};

const isBehind = ({ log, checkpointed }: Checkpoint): boolean => checkpointed < log;

/** A message to the thread: to move the log of this database, and perhaps to truncate it, or to close it. */
export type ToMover =
  { readonly close: true } | { readonly move: string; readonly truncate: boolean };

/** What came of it: null if it went well. */
export type Moved = { readonly message: string; readonly code: string } | null;

/** As in search/searcher.ts: the compiled binary has this thread as an entry point of its own. */
const THREAD = new URL(
  Bun.isStandaloneExecutable ? "./db/sqlite/log-thread.js" : "./log-thread.ts",
  import.meta.url,
);

/**
 * Moves the log on a thread that starts when it is first needed. If a move fails, all commits stay in the log and are
 * moved next time. Only a failed sync is thrown, from then on by every call.
 */
const startMover = (file: string) => {
  let thread: Worker | null = null;
  let moving: Promise<void> | null = null;
  let failed: Error | null = null;
  let unsure: ((cause: unknown) => void) | null = null;
  const check = (): void => {
    if (failed) throw failed;
  };
  const finish = (moved: Moved): void => {
    const error = moved && Object.assign(new Error(moved.message), { code: moved.code });
    if (!isUnsure(error)) return;
    failed = error;
    unsure?.(error);
  };
  let answer: (moved: Moved) => void = finish;
  const start = (): Worker => {
    const made = new Worker(THREAD, { ref: false, smol: true });
    made.addEventListener("message", ({ data }: MessageEvent<Moved>) => answer(data));
    made.addEventListener("error", (event) => event.preventDefault());
    made.addEventListener("close", () => {
      thread = null;
      answer(null);
    });
    return made;
  };
  const tell = async (message: ToMover): Promise<void> => {
    check();
    const { promise, resolve } = Promise.withResolvers<Moved>();
    answer = resolve;
    (thread ??= start()).postMessage(message, []);
    finish(await promise);
    check();
  };
  const begin = (truncate: boolean): Promise<void> =>
    (moving ??= tell({ move: file, truncate }).finally(() => {
      moving = null;
    }));
  return {
    check,
    move: () => begin(false),
    /** Also truncates the log, if no other connection uses it. */
    truncate: () => begin(true),
    onUnsure: (told: (cause: unknown) => void): void => {
      unsure = told;
    },
    isMoving: () => moving !== null,
    still: async (): Promise<void> => {
      await moving?.catch(() => {});
    },
    end: async (): Promise<void> => {
      await moving?.catch(() => {});
      if (!thread) return;
      await tell({ close: true }).catch(() => {});
      thread?.terminate();
    },
  };
};

/** For commands: SQLite looks after the log itself, after commits and on closing. */
export const NO_KEEPER: WalKeeper = {
  checkpoint: () => true,
  room: () => null,
  still: () => Promise.resolve(),
  onUnsure: () => {},
  end: () => Promise.resolve(),
  empty: () => null,
};

type PageSize = { readonly page_size: number };

const USUAL: PageSize = { page_size: 4096 };

/** Its numbers are pages. */
type Checkpoint = { readonly busy: number; readonly log: number; readonly checkpointed: number };

const NOTHING: Checkpoint = { busy: 0, log: 0, checkpointed: 0 };

const sizeOf = (file: string): number =>
  statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
