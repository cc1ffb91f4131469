import type { Board } from "./board.ts";
import { storageAfter } from "./state.ts";
import { type Change, EMPTY_SCREEN, type Screen, showRows, shownOf } from "./shown.ts";
import { screenOf } from "./sketch.ts";
import { newSketcher } from "./sketcher.ts";
import { type Database, readInTurns, readMeta, readRows } from "./store/database.ts";
import { openKeeper } from "./store/keeper.ts";
import { keyOf, NEW_STORE, type Row, type RowKey } from "./store/row.ts";
import { readSketch } from "./store/sketch-file.ts";
import { type Browser, type Message, WINDOW_VERSION } from "./windows.ts";

/** The store as one of several windows has it: what it holds is shown, and what changes is told to the others. */
export type SharedStore = {
  /** Resolves when everything is read and shown. */
  readonly whole: Promise<void>;
  readonly run: <T>(job: (db: Database) => Promise<T>) => Promise<T>;
  /** Shows rows that this window has changed in the store, and tells the others. */
  readonly changed: (rows: readonly Change[]) => void;
  readonly tell: (message: Message) => void;
  readonly close: () => void;
  /** Closes the store, and shows nothing of it any more. */
  readonly leave: () => void;
  /** Removes all data. */
  readonly erase: () => Promise<void>;
};

export type SharedStoreEvents = {
  /** A newer version has taken the store. */
  readonly onNewer: () => void;
  /** The browser had removed the data. What this window still had is saved again. */
  readonly onEvicted: () => void;
  /** Another window wants to sync. */
  readonly onWake: () => void;
  /** The account was signed out in another window. */
  readonly onSignedOut: () => void;
};

export const openSharedStore = async (
  name: string,
  { state, patch }: Board,
  browser: Browser,
  events: SharedStoreEvents,
): Promise<SharedStore> => {
  let screen = EMPTY_SCREEN;
  let meta = NEW_STORE;
  /** What changed while this window reads the records; null when it has. */
  let since: Change[] | null = [];
  /** What other windows say while this one still reads the store. */
  let early: Message[] | null = [];

  const show = (changes: readonly Change[]): void => {
    if (since) since = [...since, ...changes];
    screen = showRows(screen, changes);
    patch(shownOf(screen));
    if (!since) sketcher.changed();
  };
  const showAll = (shown: Screen): void => {
    since = null;
    screen = shown;
    patch({ ...shownOf(screen), isWhole: true });
  };

  const receive = (message: Message): void => {
    switch (message.kind) {
      case "hello":
        if (message.version > WINDOW_VERSION) patch({ mustReload: true });
        if (message.version < WINDOW_VERSION) hello();
        return;
      case "changed":
        return void changedElsewhere(message.keys);
      case "sync":
        return patch({
          sync: message.sync,
          syncedAt: message.syncedAt,
          storage: storageAfter(message.sync, state().storage),
        });
      case "wake":
        return events.onWake();
      case "signed-out":
        return events.onSignedOut();
    }
  };
  const channel = browser.channel(name, (message) => {
    if (early) early.push(message);
    else receive(message);
  });
  const hello = (): void => channel.tell({ kind: "hello", version: WINDOW_VERSION });

  const keeper = await openKeeper(name, {
    onStorage: (storage) => patch({ storage }),
    onNewer: () => {
      patch({ mustReload: true });
      events.onNewer();
    },
    known: () => ({ unsettled: screen.unsettled.values(), meta }),
    onEvicted: ({ rows }) => {
      showAll(showRows(EMPTY_SCREEN, rows));
      events.onEvicted();
    },
  }).catch((error: unknown) => {
    channel.close();
    throw error;
  });

  const sketch = await keeper.run(readSketch);
  // What outlives the start uses this alone, so that the texts do not stay in memory.
  const isSketched = sketch.texts !== null;
  const sketcher = newSketcher(keeper.run, () => screen);

  /** Reads everything. What changes meanwhile is newer than what is read. */
  const readRecords = async (): Promise<void> => {
    if (!since) return;
    since = [];
    let read = EMPTY_SCREEN;
    const take = (rows: readonly Row[]): void => {
      read = showRows(read, rows);
    };
    try {
      await keeper.run((db) => readInTurns(db, take));
    } catch (error) {
      // The browser removed the data: what was rescued is shown already. Or the window has left the store.
      if (since) throw error;
    }
    if (!since) return;
    if (!isSketched || since.length > 0) sketcher.changed();
    showAll(showRows(read, since));
  };

  const noteMeta = async (): Promise<void> => {
    meta = await keeper.run(readMeta).catch(() => meta);
  };
  const changedElsewhere = async (keys: readonly RowKey[]): Promise<void> => {
    const rows = await keeper.run((db) => readRows(db, keys)).catch(() => null);
    if (rows === null) return;
    show(keys.map(([table, id], at) => rows[at] ?? { table, id }));
    await noteMeta();
  };
  const close = (): void => {
    since = null;
    sketcher.stop();
    channel.close();
    keeper.close();
  };

  const whole = sketch.texts ? afterwards(readRecords) : readRecords();
  meta = sketch.meta;
  if (sketch.texts) {
    screen = screenOf(sketch.texts);
    patch(shownOf(screen));
  } else await whole;
  hello();
  // Later, because the caller has nothing yet that could handle them.
  setTimeout(() => {
    const missed = early ?? [];
    early = null;
    for (const message of missed) receive(message);
  });

  return {
    whole,
    run: keeper.run,
    changed: (rows) => {
      if (rows.length === 0) return;
      show(rows);
      channel.tell({ kind: "changed", keys: rows.map(keyOf) });
      if (state().storage === "full") patch({ storage: "good" });
      void noteMeta();
    },
    tell: channel.tell,
    close,
    leave: () => {
      close();
      showAll(EMPTY_SCREEN);
    },
    erase: keeper.erase,
  };
};

/** Runs `job` once the caller has had a turn, in which it draws what is shown. */
const afterwards = async (job: () => Promise<void>): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve));
  await job();
};
