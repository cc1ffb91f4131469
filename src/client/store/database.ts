import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { keyOf, type Meta, NEW_STORE, type Row, type RowKey } from "./row.ts";

/** Raised with each change of what the database holds. A window with a lower one must be reloaded. */
const STORE_VERSION = 2;

interface Schema extends DBSchema {
  rows: { key: RowKey; value: Row; indexes: { waits: number } };
  meta: { key: "meta"; value: Meta };
  sketch: { key: "sketch"; value: Sketch };
}

/** What lists show of the records, as they were when `rowsAt` in `Meta` was this. */
type Sketch = { readonly rowsAt: number; readonly texts: readonly string[] };

export type Database = IDBPDatabase<Schema>;
export type Writing = IDBPTransaction<Schema, ("meta" | "rows")[], "readwrite">;

/** Each account of each server has a database of its own. */
export const databaseName = (server: string, accountId: string): string =>
  `docket ${new URL(server).origin} ${accountId}`;

export type Events = {
  /** A window of a newer version waits for this one to close the database. */
  readonly onNewer: () => void;
  /** The browser closed the database by itself: it removed the data, or the disk failed. */
  readonly onLost: () => void;
};

export const openDatabase = (name: string, { onNewer, onLost }: Events): Promise<Database> =>
  openDB<Schema>(name, STORE_VERSION, {
    upgrade: (db, from) => {
      if (from < 1) {
        const rows = db.createObjectStore("rows", { keyPath: ["table", "id"] });
        rows.createIndex("waits", "waits");
        db.createObjectStore("meta");
      }
      db.createObjectStore("sketch");
    },
    blocking: onNewer,
    terminated: onLost,
  });

/** Everything a store holds. */
export type Contents = { readonly rows: readonly Row[]; readonly meta: Meta | null };

export const readAll = async (db: Database): Promise<Contents> => {
  const tx = db.transaction(["rows", "meta"]);
  const [rows, meta] = await Promise.all([
    tx.objectStore("rows").getAll(),
    tx.objectStore("meta").get("meta"),
  ]);
  return { rows, meta: meta ?? null };
};

/** As many rows as are read without keeping the page from drawing. */
const TURN = 500;

/**
 * Reads everything, some rows at a time, as it was at one moment. While `take` works on some, the browser reads the
 * next ones.
 */
export const readInTurns = async (
  db: Database,
  take: (rows: readonly Row[]) => void,
): Promise<void> => {
  const rows = db.transaction("rows").store;
  let some = await rows.getAll(null, TURN);
  for (;;) {
    const last = some.length < TURN ? undefined : some.at(-1);
    const next = last && rows.getAll(IDBKeyRange.lowerBound(keyOf(last), true), TURN);
    take(some);
    if (!next) return;
    some = await next;
  }
};

export const readRows = async (
  db: Database,
  keys: readonly RowKey[],
): Promise<readonly (Row | undefined)[]> => {
  const rows = db.transaction("rows").store;
  return Promise.all(keys.map((key) => rows.get(key)));
};

export const readMeta = async (db: Database): Promise<Meta> =>
  (await db.get("meta", "meta")) ?? NEW_STORE;

/** The rows with edits that wait, in the order in which the edits were made. */
export const readWaiting = (db: Database): Promise<readonly Row[]> =>
  db.getAllFromIndex("rows", "waits");

/**
 * Runs `job` in a transaction, and resolves with what it returned once that is on the disk. If the job fails,
 * nothing is written. The job may wait for the transaction's own requests only.
 */
export const write = async <T>(db: Database, job: (tx: Writing) => Promise<T>): Promise<T> => {
  // Without "strict", Chromium reports success before the disk has the data.
  const tx = db.transaction(["rows", "meta"], "readwrite", { durability: "strict" });
  try {
    const result = await job(tx);
    await tx.done;
    return result;
  } catch (error) {
    // Otherwise the browser reports the transaction's own failure as one that nobody handled.
    tx.done.catch(() => {});
    abort(tx);
    // The storage's own error says more than the request that failed with it.
    throw tx.error ?? error;
  }
};

const abort = (tx: Writing): void => {
  try {
    tx.abort();
  } catch {
    // It has ended already.
  }
};

/**
 * Counts a change of the store, and returns what the store knows of its server, with the new count. `ofRows` says
 * whether records change too.
 */
export const countChange = async (
  tx: Writing,
  known: Partial<Meta> = {},
  ofRows = true,
): Promise<Meta> => {
  const store = tx.objectStore("meta");
  const before = (await store.get("meta")) ?? NEW_STORE;
  const pulse = (known.pulse ?? before.pulse) + 1;
  const meta = { ...before, ...known, pulse, rowsAt: ofRows ? pulse : before.rowsAt };
  await store.put(meta, "meta");
  return meta;
};

/**
 * Whether the browser could not write something for want of room. On a full disk, Chromium names the file that could not
 * grow; an extension's storage in Firefox has the error's name in its text.
 */
export const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "QuotaExceededError" ||
    /QuotaExceededError|FILE_ERROR_NO_SPACE/.test(error.message));
