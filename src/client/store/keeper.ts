import { deleteDB } from "idb";
import { NotPossible, StorageFull, type StorageState } from "../state.ts";
import { type Contents, type Database, isFull, openDatabase, readAll } from "./database.ts";
import { rescue } from "./rescue.ts";
import type { Meta, Row } from "./row.ts";

/** Keeps the database open, also when the browser removes it. */
export type Keeper = {
  /** Runs `job` on the database. Rejects with `StorageFull` if the browser has no room. */
  readonly run: <T>(job: (db: Database) => Promise<T>) => Promise<T>;
  readonly close: () => void;
  /** Removes all data, for good. */
  readonly erase: () => Promise<void>;
};

export type KeeperEvents = {
  readonly onStorage: (storage: StorageState) => void;
  /** A window of a newer version needs the database. This one cannot use it any more. */
  readonly onNewer: () => void;
  /** What this window knows of the store, in case the browser removes it. */
  readonly known: () => { readonly unsettled: Iterable<Row>; readonly meta: Meta };
  /** The browser had removed the data. This is what the store holds now. */
  readonly onEvicted: (contents: Contents) => void;
};

/** A database that is open or being opened. */
type Opening = {
  readonly db: Promise<Database>;
  /** Rejects with `Lost` when the browser closes the database. */
  readonly lost: Promise<never>;
};

/** The browser has closed the database. Firefox then ends some of its transactions never, and tells nobody. */
class Lost extends Error {
  override readonly name = "Lost";
}

/**
 * In ms. A page or worker that opens a database while Chromium is still closing it, for example on a full disk, gets no
 * answer, neither to this nor to anything else that it asks of databases later.
 */
const CLOSING = 1000;

export const openKeeper = async (name: string, events: KeeperEvents): Promise<Keeper> => {
  /** Null until the next use opens it again. */
  let current: Opening | null = null;
  let isClosed = false;
  /** Whether the last job found no room. Chromium then cannot open the database either, and does not say why. */
  let wasFull = false;
  /** Resolves once the browser has closed the database of before. */
  let closed: Promise<unknown> = Promise.resolve();
  const close = (): void => {
    isClosed = true;
    if (current) closeDatabase(current);
  };
  /** Opens the database, and runs `prepare` before anything else uses it. */
  const open = (prepare: (db: Database) => Promise<void>): Opening => {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const opened = closed.then(() =>
      openDatabase(name, {
        onNewer: () => {
          close();
          events.onNewer();
        },
        onLost: () => {
          reject(new Lost());
          // If that fails, for example because the browser still removes the data, the next use tries again.
          if (lose(opening) && !isClosed) reopen();
        },
      }),
    );
    const db = prepared(opened, prepare, lost);
    const opening: Opening = { db, lost };
    lost.catch(() => {});
    db.catch(() => forget(opening));
    return (current = opening);
  };
  const forget = (which: Opening): boolean => {
    const isCurrent = current === which;
    if (isCurrent) current = null;
    return isCurrent;
  };
  /** Whether it was still in use. */
  const lose = (which: Opening): boolean => {
    const isCurrent = forget(which);
    if (isCurrent) closed = new Promise((resolve) => setTimeout(resolve, CLOSING));
    return isCurrent;
  };
  const reopen = (): Opening =>
    open(async (db) => {
      if ((await readAll(db)).meta !== null) return;
      const { unsettled, meta } = events.known();
      const rows = [...unsettled];
      // A store that has never held anything.
      if (meta.pulse === 0 && rows.length === 0) return;
      events.onEvicted(await rescue(db, rows, meta));
      events.onStorage("evicted");
    });
  const inUse = (): Opening => {
    if (isClosed) throw new NotPossible("This window has closed its store. Reload this page.");
    return current ?? reopen();
  };
  const tryOn = async <T>(job: (db: Database) => Promise<T>): Promise<T> => {
    const using = inUse();
    try {
      return await runOn(using, job);
    } catch (error) {
      if (!isClosing(error)) throw error;
      // Nothing of the job was written, or what was written is gone.
      if (lose(using)) closeDatabase(using);
      return runOn(inUse(), job);
    }
  };
  await open(() => Promise.resolve()).db;
  return {
    run: async (job) => {
      try {
        const result = await tryOn(job);
        wasFull = false;
        return result;
      } catch (error) {
        if (!isFull(error) && !(wasFull && isNamed(error, "UnknownError"))) throw error;
        wasFull = true;
        events.onStorage("full");
        throw new StorageFull("The browser has no room left. Nothing was saved.");
      }
    },
    close,
    erase: async () => {
      close();
      await deleteDB(name);
    },
  };
};

const runOn = async <T>({ db, lost }: Opening, job: (db: Database) => Promise<T>): Promise<T> => {
  const open = await db;
  return Promise.race([job(open), lost]);
};

const closeDatabase = ({ db }: Opening): void => {
  db.then(
    (open) => open.close(),
    () => {},
  );
};

/** Whether the browser has closed the database, or is about to and has not said so yet. */
const isClosing = (error: unknown): boolean =>
  error instanceof Lost || isNamed(error, "InvalidStateError") || isNamed(error, "AbortError");

const prepared = async (
  opened: Promise<Database>,
  prepare: (db: Database) => Promise<void>,
  lost: Promise<never>,
): Promise<Database> => {
  const db = await opened.catch((error: unknown) => {
    throw isNamed(error, "VersionError") ? new NotPossible(RELOAD) : error;
  });
  try {
    await Promise.race([prepare(db), lost]);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const RELOAD = "Another window runs a newer version of Docket. Reload this page.";

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof DOMException && error.name === name;
