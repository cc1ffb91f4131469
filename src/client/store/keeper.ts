import { deleteDB } from "idb";
import { NotPossible, StorageFull, type StorageState } from "../state.ts";
import { type Contents, type Database, openDatabase, readAll } from "./database.ts";
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

export const openKeeper = async (name: string, events: KeeperEvents): Promise<Keeper> => {
  let db: Database | null = null;
  let opening: Promise<void> | null = null;
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    db?.close();
  };
  const open = async (): Promise<void> => {
    const opened = await openDatabase(name, {
      onNewer: () => {
        close();
        events.onNewer();
      },
      onLost: () => (opening = isClosed ? null : reopen()),
    });
    db = opened;
    if (isClosed) opened.close();
  };
  const reopen = async (): Promise<void> => {
    await open();
    if (db === null || (await readAll(db)).meta !== null) return;
    const { unsettled, meta } = events.known();
    events.onEvicted(await rescue(db, [...unsettled], meta));
    events.onStorage("evicted");
  };
  await open().catch((error: unknown) => {
    throw isNamed(error, "VersionError") ? new NotPossible(RELOAD) : error;
  });
  return {
    run: async (job) => {
      try {
        await opening;
        return await job(inUse(isClosed ? null : db));
      } catch (error) {
        if (!isNamed(error, "QuotaExceededError")) throw error;
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

const RELOAD = "Another window runs a newer version of Docket. Reload this page.";

const inUse = (db: Database | null): Database => {
  if (db === null) throw new NotPossible("This window has closed its store. Reload this page.");
  return db;
};

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof DOMException && error.name === name;
