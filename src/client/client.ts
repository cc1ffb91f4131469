import type { Payload } from "../domain/base/payload.ts";
import type { Table } from "../domain/base/record.ts";
import type { Edit } from "./edit.ts";
import type { BucketView, FolderView, TaskView } from "./views.ts";

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

/** Everything the screen shows. A new object after each change; parts that did not change stay identical. */
export type ClientState = {
  /** Live records by their ids. A new map after each change; the views of unchanged records stay the same. */
  readonly tasks: ReadonlyMap<string, TaskView>;
  readonly folders: ReadonlyMap<string, FolderView>;
  readonly buckets: ReadonlyMap<string, BucketView>;
  /** Deleted tasks whose content is still known, so that they can be revived. */
  readonly deletedTasks: ReadonlyMap<string, TaskView>;
  readonly sync: SyncState;
  /** When the server last confirmed everything, by this device's clock in milliseconds; null if never. */
  readonly syncedAt: number | null;
  /** How many records have edits that the server has not confirmed. */
  readonly waiting: number;
  /** Changes that the server refused. They wait to be mended (by another edit of the record) or thrown away. */
  readonly refused: readonly RefusedChange[];
  /** The steps that `undo` can take back, the last one first. */
  readonly steps: readonly Step[];
  /** What happened to the browser's storage, if anything. */
  readonly storage: StorageState;
  /** Whether another window runs a newer version of this program, so that this one must be reloaded. */
  readonly mustReload: boolean;
};

export type SyncState =
  /** Everything is pushed and pulled. */
  | { readonly kind: "idle" }
  | { readonly kind: "syncing" }
  /** The server cannot be reached. Tries again at `retryAt` (milliseconds), and as soon as the browser is online. */
  | { readonly kind: "offline"; readonly retryAt: number }
  /** The token is no longer accepted. Edits stay in the store. Sign in again, then call `sync`. */
  | { readonly kind: "signed-out" }
  /** The server answered, but not as it should. `sentence` is for people. */
  | { readonly kind: "problem"; readonly sentence: string; readonly retryAt: number };

export type StorageState =
  | "good"
  /** The browser has no room: the last edit was not saved and its promise was rejected. Earlier edits are safe. */
  | "full"
  /**
   * The browser removed the local copy while this window was open. Edits that this window knew of were saved again;
   * everything else comes again from the server.
   */
  | "evicted";

/** A change that the server refused as a whole. */
export type RefusedChange = {
  readonly table: Table;
  readonly id: string;
  /** The server's reason, a sentence. */
  readonly reason: string;
  readonly payload: Payload;
  readonly deletedAt: string | null;
};

/** One step of the person: one or several edits that were saved together. */
export type Step = {
  /** What the person did, for a notice: "Task deleted". */
  readonly label: string;
  /**
   * Takes the step back, as a new edit. What others changed since in the same records stays. Does nothing the
   * second time.
   */
  readonly undo: () => Promise<void>;
};

/** An edit was not saved, because the browser has no room. Nothing of it is shown. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
}

/** An edit was not made. `message` is a sentence for people. Nothing of its step was saved. */
export class NotPossible extends Error {
  override readonly name = "NotPossible";
}

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

/** Opens the account's store in this browser and shows what it holds. Does not call the server yet. */
export const openClient = (_options: ClientOptions): Promise<Client> =>
  Promise.reject(new Error("not there yet"));
