import type { Table } from "../domain/base/record.ts";
import type { Edit } from "./edit.ts";
import { exportText } from "./export.ts";
import { type Change, EMPTY_SCREEN, type Screen, showRows } from "./shown.ts";
import { type ClientState, type Step, type SyncState } from "./state.ts";
import { databaseName, readMeta, readRows, readWaiting } from "./store/database.ts";
import { openKeeper } from "./store/keeper.ts";
import { keyOf, NEW_STORE, type RowKey } from "./store/row.ts";
import { dropRefused, saveStep, type SavedStep } from "./store/save-step.ts";
import { startEngine } from "./sync/engine.ts";
import { undoOf } from "./undo.ts";
import { type Browser, type Message, thisBrowser, WINDOW_VERSION } from "./windows.ts";

export {
  type ClientState,
  NotPossible,
  type RefusedChange,
  type Step,
  StorageFull,
  type StorageState,
  type SyncState,
} from "./state.ts";

// The local-first core: a store in this browser, and its sync with one account of one server. Screens read `state`,
// and change things by `edit` with what `edits.ts` offers. Lists are in `lists.ts`, search in `search.ts`.

export type ClientOptions = {
  /** Whose store it is. Each account has its own, and no other account's session ever opens it. */
  readonly account: { readonly id: string; readonly email: string };
  /** The server's origin, such as `https://docket.example.org`. Also part of the store's name. */
  readonly server: string;
  /**
   * Calls the public API, with the session's token. `path` is relative to `/api/public/v1`, such as
   * `/sync?since=…`. Rejects if the server cannot be reached. May be called while offline.
   */
  readonly request: (path: string, init: RequestInit) => Promise<Response>;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  /** Returns an id that nobody else has: a UUID. */
  readonly newId: () => string;
};

export type Client = {
  readonly account: { readonly id: string; readonly email: string };
  readonly state: () => ClientState;
  /** Calls `listener` after each change of `state`. Returns a function that ends this. */
  readonly subscribe: (listener: () => void) => () => void;

  /** Returns a new id, for the edits that create something. */
  readonly newId: () => string;

  /**
   * Makes the edits of one step, all or none. Resolves when they are saved in this browser and `state` shows them;
   * the server hears of them soon after. Rejects with `StorageFull` or `NotPossible`.
   *
   *     await client.edit("Task created", [createTask({ id: client.newId(), title })]);
   */
  readonly edit: (label: string, edits: readonly Edit[]) => Promise<Step>;
  /** Takes the last step back that was not taken back yet. Returns its label, null if there is none. */
  readonly undo: () => Promise<string | null>;
  /** Throws a refused change away. The record is again as the server has it. */
  readonly discardRefused: (table: Table, id: string) => Promise<void>;

  /**
   * Pushes what waits and pulls what is new, now. Resolves when that is done or has failed; `state().sync` says
   * which. Never rejects.
   */
  readonly sync: () => Promise<void>;
  /**
   * Keeps the store in step with the server, until `pause`: syncs at once, after each edit, when the server has
   * news (long poll), and after failures with growing pauses. Call it when the window becomes visible.
   */
  readonly live: () => void;
  /** Ends the long poll, for a hidden window. Edits are still pushed. */
  readonly pause: () => void;

  /** Returns everything that the store holds, also edits that wait, as JSON text for a file. */
  readonly export: () => Promise<string>;
  /**
   * Erases the store, in all windows. If edits wait or were refused, does so only with `evenIfWaiting`. Returns
   * whether it was erased. The caller ends the session itself.
   */
  readonly signOut: (options: { readonly evenIfWaiting: boolean }) => Promise<boolean>;
  /** Ends everything that runs. The store stays. */
  readonly close: () => void;
};

/** How many steps `undo` can take back. */
const STEPS = 50;

/**
 * Opens the account's store in this browser and shows what it holds. Does not call the server yet. Rejects with
 * `NotPossible` if another window has made the store newer than this program, so that the page must be reloaded.
 * `browser` is for tests.
 */
export const openClient = async (
  { account, server, request, now, newId }: ClientOptions,
  browser: Browser = thisBrowser,
): Promise<Client> => {
  const name = databaseName(server, account.id);
  const { state, subscribe, patch } = newBoard();
  let screen: Screen = EMPTY_SCREEN;
  let meta = NEW_STORE;

  const show = (changes: readonly Change[]): void => {
    const { unsettled: _own, ...shown } = (screen = showRows(screen, changes));
    patch(shown);
  };
  const keeper = await openKeeper(name, {
    onStorage: (storage) => patch({ storage }),
    onNewer: () => {
      engine.stop();
      patch({ mustReload: true });
    },
    known: () => ({ unsettled: screen.unsettled.values(), meta }),
    onEvicted: ({ rows }) => {
      screen = EMPTY_SCREEN;
      show(rows);
      void engine.sync();
    },
  });
  meta = keeper.contents.meta ?? NEW_STORE;

  /** Shows rows that were changed in the store by this window, and tells the others. */
  const changed = (rows: readonly Change[]): void => {
    if (rows.length === 0) return;
    show(rows);
    channel.tell({ kind: "changed", keys: rows.map(keyOf) });
    if (state().storage === "full") patch({ storage: "good" });
    void noteMeta();
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
  const showSync = (sync: SyncState, syncedAt = state().syncedAt): void => {
    patch({ sync, syncedAt });
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
        return showSync(message.sync, message.syncedAt);
      case "wake":
        return engine.giveWay();
      case "signed-out":
        return leave();
    }
  };
  const channel = browser.channel(name, receive);
  const hello = (): void => channel.tell({ kind: "hello", version: WINDOW_VERSION });

  const engine = startEngine({
    browser,
    name,
    now,
    place: { run: keeper.run, request, changed },
    show: (sync) => {
      showSync(sync, sync.kind === "idle" ? now() : state().syncedAt);
      channel.tell({ kind: "sync", sync, syncedAt: state().syncedAt });
    },
    explain: (error) =>
      error instanceof Error ? error.message : "This browser could not read its own store.",
  });
  const sync = (): Promise<void> => {
    channel.tell({ kind: "wake" });
    return engine.sync();
  };
  const onOnline = (): void => void sync();
  globalThis.addEventListener("online", onOnline);

  const close = (): void => {
    engine.stop();
    globalThis.removeEventListener("online", onOnline);
    channel.close();
    keeper.close();
  };
  /** Shows nothing of the account any more. */
  const leave = (): void => {
    close();
    screen = EMPTY_SCREEN;
    const { unsettled: _own, ...nothing } = EMPTY_SCREEN;
    patch({ ...nothing, steps: [], sync: { kind: "signed-out" }, syncedAt: null });
  };

  const save = async (edits: readonly Edit[]): Promise<SavedStep> => {
    const saved = await keeper.run((db) => saveStep(db, edits, newId, now()));
    changed(saved.rows);
    if (saved.rows.length > 0) {
      channel.tell({ kind: "wake" });
      engine.edited();
    }
    return saved;
  };
  const newStep = (label: string, { touched }: SavedStep): Step => {
    let undone: Promise<void> | null = null;
    const takeBack = async (): Promise<void> => {
      await save([undoOf(touched)]);
      patch({ steps: state().steps.filter((one) => one !== step) });
    };
    const step: Step = {
      label,
      undo: () =>
        (undone ??= takeBack().catch((error: unknown) => {
          undone = null;
          throw error;
        })),
    };
    return step;
  };

  show(keeper.contents.rows);
  hello();
  return {
    account,
    state,
    subscribe,
    newId,
    edit: async (label, edits) => {
      const saved = await save(edits);
      const step = newStep(label, saved);
      if (saved.touched.length > 0) patch({ steps: [step, ...state().steps].slice(0, STEPS) });
      return step;
    },
    undo: async () => {
      const [step] = state().steps;
      await step?.undo();
      return step?.label ?? null;
    },
    discardRefused: async (table, id) => {
      const row = await keeper.run((db) => dropRefused(db, table, id));
      changed([row ?? { table, id }]);
    },
    sync,
    live: () => {
      channel.tell({ kind: "wake" });
      engine.live();
    },
    pause: engine.pause,
    export: () => keeper.run((db) => exportText(db, { account, server, now: now() })),
    signOut: async ({ evenIfWaiting }) => {
      const waiting = await keeper.run(readWaiting);
      if (!evenIfWaiting && (waiting.length > 0 || state().refused.length > 0)) return false;
      channel.tell({ kind: "signed-out" });
      leave();
      await keeper.erase();
      return true;
    },
    close,
  };
};

/** Holds the state and tells who listens. */
const newBoard = () => {
  let current: ClientState = {
    ...showRows(EMPTY_SCREEN, []),
    sync: { kind: "idle" },
    syncedAt: null,
    steps: [],
    storage: "good",
    mustReload: false,
  };
  const listeners = new Set<() => void>();
  return {
    state: () => current,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    patch: (part: Partial<ClientState>): void => {
      current = { ...current, ...part };
      for (const listener of listeners) listener();
    },
  };
};
