import type { Payload } from "../domain/base/payload.ts";
import type { Table } from "../domain/base/record.ts";
import type { BucketView, FolderView, TaskView } from "./views.ts";

/** Everything the screen shows. A new object after each change; parts that did not change stay identical. */
export type ClientState = {
  /** Live records by their ids. A new map after each change; the views of unchanged records stay the same. */
  readonly tasks: ReadonlyMap<string, TaskView>;
  readonly folders: ReadonlyMap<string, FolderView>;
  readonly buckets: ReadonlyMap<string, BucketView>;
  /** Deleted tasks whose content is still known, so that they can be revived. */
  readonly deletedTasks: ReadonlyMap<string, TaskView>;
  /**
   * Whether the records are read. For a moment after a store with many tasks was opened they are not: tasks then have
   * what lists show of them, and their tabs and notes are empty, except for those of agents.
   */
  readonly isWhole: boolean;
  readonly sync: SyncState;
  /** When the server last confirmed everything, by this device's clock in milliseconds; null if never. */
  readonly syncedAt: number | null;
  /** How many steps are being saved in this browser's store. */
  readonly saving: number;
  /** How many records have edits that the server has not confirmed. */
  readonly waiting: number;
  /** Changes that the server refused. They wait to be mended (by another edit of the record) or thrown away. */
  readonly refused: readonly RefusedChange[];
  /** Titles that gave way when two devices had changed them. They wait until the person has chosen. */
  readonly lost: readonly LostText[];
  /** The steps that `undo` can take back, the last one first. */
  readonly steps: readonly Step[];
  /** What happened to the browser's storage, if anything. */
  readonly storage: StorageState;
  /** When this window noticed that the server was restored from a backup, in milliseconds; null if it was not. */
  readonly restoredAt: number | null;
  /** Whether another window runs a newer version of this program, so that this one must be reloaded. */
  readonly mustReload: boolean;
};

export type SyncState =
  /** Everything is pushed and pulled. */
  | { readonly kind: "idle" }
  | { readonly kind: "syncing" }
  /** The server cannot be reached. Tries again at `retryAt` (milliseconds), and as soon as the browser is online. */
  | { readonly kind: "offline"; readonly retryAt: number }
  /** The token is no longer accepted. Edits stay in the store. Sign in again, then call `live`. */
  | { readonly kind: "signed-out" }
  /** The server answered, but not as it should. `sentence` is for people. */
  | {
      readonly kind: "problem";
      readonly sentence: string;
      readonly retryAt: number;
      /** Whether the server asked to be left alone until `retryAt`. */
      readonly isAsked: boolean;
      /** Whether it was not Docket that answered: a proxy asks for a sign-in of its own. */
      readonly isProxy?: boolean;
    };

export type StorageState =
  | "good"
  /** The browser has no room: the last edit was not saved and its promise was rejected. Earlier edits are safe. */
  | "full"
  /**
   * The browser removed the local copy while this window was open. Edits that this window knew of were saved again;
   * everything else comes again from the server, and then the state is `good`.
   */
  | "evicted";

/** After a sync, everything that the browser had removed is there again. */
export const storageAfter = (sync: SyncState, storage: StorageState): StorageState =>
  sync.kind === "idle" && storage === "evicted" ? "good" : storage;

/** A change that the server refused as a whole. */
export type RefusedChange = {
  readonly table: Table;
  readonly id: string;
  /** The server's reason, a sentence. */
  readonly reason: string;
  readonly payload: Payload;
  readonly deletedAt: string | null;
};

/** A title or name that gave way to another one when two devices had changed it. */
export type LostText = {
  readonly table: Table;
  readonly id: string;
  /** Where in the record it was: `title`, `name`, or a list and the id of its item. */
  readonly place: string;
  readonly text: string;
  /** What the title says now. */
  readonly kept: string;
};

/** One step of the person: one or several edits that were saved together. */
export type Step = {
  /** What the person did, for a notice: "Task deleted". */
  readonly label: string;
  /**
   * Takes the step back, as a new edit. What others changed since in the same records stays. Does nothing the
   * second time. Rejects with `NotPossible` if others deleted what it would change.
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
