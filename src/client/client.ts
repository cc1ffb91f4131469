import type { Table } from "../domain/base/record.ts";
import { newBoard } from "./board.ts";
import type { Edit } from "./edit.ts";
import { exportText } from "./export.ts";
import { type Claims, openClaims } from "./claims.ts";
import { type Icons, openIcons } from "./icons.ts";
import { openSharedStore } from "./shared-store.ts";
import { type ClientState, type LostText, type Step, storageAfter } from "./state.ts";
import { addStep } from "./steps.ts";
import { databaseName, readWaiting } from "./store/database.ts";
import { dropLost, dropRefused, saveStep, type SavedStep } from "./store/save-step.ts";
import { startEngine } from "./sync/engine.ts";
import { type Browser, thisBrowser } from "./windows.ts";

export {
  type ClientState,
  type LostText,
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

  /**
   * Resolves when `state` has everything (`isWhole`). Until then it may be a sketch, which is enough for lists. Edits
   * can be made at once. Rejects if the browser cannot read the store.
   */
  readonly whole: Promise<void>;

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
  /** Forgets a title that gave way to another one: the person has chosen. */
  readonly forgetLost: (one: Pick<LostText, "id" | "place" | "table">) => Promise<void>;

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

  /** The pictures of web sites, beside the store. */
  readonly icons: Icons;

  /** Which agents work on which tasks. */
  readonly claims: Claims;

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

/**
 * Opens the account's store in this browser and shows what it holds, first as a sketch (see `whole`). Does not call the
 * server yet. Rejects with
 * `NotPossible` if another window has made the store newer than this program, so that the page must be reloaded.
 * `browser` is for tests.
 */
export const openClient = async (
  { account, server, request, now, newId }: ClientOptions,
  browser: Browser = thisBrowser,
): Promise<Client> => {
  const name = databaseName(server, account.id);
  const board = newBoard();
  const { state, subscribe, patch } = board;
  const icons = openIcons({ name, request, now });
  const store = await openSharedStore(name, board, browser, {
    onNewer: () => engine.stop(),
    onEvicted: () => void engine.sync(),
    onWake: () => engine.giveWay(),
    onSignedOut: () => leave(),
  });
  const engine = startEngine({
    browser,
    name,
    now,
    place: {
      run: store.run,
      request,
      load: { bytes: Number.POSITIVE_INFINITY },
      changed: store.changed,
      restored: () => patch({ restoredAt: now() }),
    },
    show: (sync) => {
      const syncedAt = sync.kind === "idle" ? now() : state().syncedAt;
      patch({ sync, syncedAt, storage: storageAfter(sync, state().storage) });
      store.tell({ kind: "sync", sync, syncedAt: state().syncedAt });
    },
    wake: () => store.tell({ kind: "wake" }),
    explain: (error) =>
      error instanceof Error ? error.message : "This browser could not read its own store.",
  });

  /** Makes another window that waits for news let this one sync. */
  const wake = (): void => store.tell({ kind: "wake" });
  const sync = (): Promise<void> => {
    wake();
    return engine.sync();
  };
  const onOnline = (): void => void sync();
  globalThis.addEventListener("online", onOnline);

  const stop = (): void => {
    engine.stop();
    icons.close();
    globalThis.removeEventListener("online", onOnline);
  };
  const leave = (): void => {
    stop();
    store.leave();
    patch({ steps: [], sync: { kind: "signed-out" }, syncedAt: null });
  };
  /** Settles when all steps that were made so far can be taken back. */
  let added: Promise<unknown> = Promise.resolve();
  const save = async (edits: readonly Edit[]): Promise<SavedStep> => {
    patch({ saving: state().saving + 1 });
    try {
      const saved = await store.run((db) => saveStep(db, edits, newId, now()));
      store.changed(saved.rows);
      if (saved.rows.length > 0) {
        wake();
        engine.edited();
      }
      return saved;
    } finally {
      patch({ saving: state().saving - 1 });
    }
  };

  return {
    account,
    state,
    subscribe,
    whole: store.whole,
    newId,
    edit: (label, edits) => {
      const step = save(edits).then((saved) => addStep(board, label, saved, save));
      added = Promise.allSettled([added, step]);
      return step;
    },
    undo: async () => {
      // The step that the person means may still be on its way to the disk.
      await added;
      const [step] = state().steps;
      await step?.undo();
      return step?.label ?? null;
    },
    discardRefused: async (table, id) => {
      const row = await store.run((db) => dropRefused(db, table, id));
      store.changed([row ?? { table, id }]);
    },
    forgetLost: async ({ table, id, place }) => {
      const row = await store.run((db) => dropLost(db, table, id, place));
      store.changed([row ?? { table, id }]);
    },
    sync,
    live: () => {
      wake();
      engine.live();
    },
    pause: engine.pause,
    icons,
    claims: openClaims(request),
    export: () => store.run((db) => exportText(db, { account, server, now: now() })),
    signOut: async ({ evenIfWaiting }) => {
      const waiting = await store.run(readWaiting);
      if (!evenIfWaiting && (waiting.length > 0 || state().refused.length > 0)) return false;
      store.tell({ kind: "signed-out" });
      leave();
      await Promise.all([store.erase(), icons.erase()]);
      return true;
    },
    close: () => {
      stop();
      store.close();
    },
  };
};
