import type { SyncState } from "./state.ts";
import type { RowKey } from "./store/row.ts";

/**
 * Raised with each change of what windows tell one another or keep in the store. Of two windows with different
 * versions, the older one must be reloaded.
 */
export const WINDOW_VERSION = 3;

/** What a window tells the others of the same store. */
export type Message =
  /** Sent when a window opens, and as the answer to an older one. */
  | { readonly kind: "hello"; readonly version: number }
  /** Rows changed in the store. */
  | { readonly kind: "changed"; readonly keys: readonly RowKey[] }
  | { readonly kind: "sync"; readonly sync: SyncState; readonly syncedAt: number | null }
  /** There is something to push, or somebody asks for a sync: the window that syncs must not wait for news. */
  | { readonly kind: "wake" }
  /** The account was signed out. The store is about to be erased. */
  | { readonly kind: "signed-out" };

export type Channel = {
  readonly tell: (message: Message) => void;
  readonly close: () => void;
};

/** What the browser offers for several windows. Tests bring their own. */
export type Browser = {
  readonly channel: (name: string, onMessage: (message: Message) => void) => Channel;
  /** Runs `job` when no other window runs one under this name. Rejects if `signal` ends the wait. */
  readonly alone: (name: string, signal: AbortSignal, job: () => Promise<void>) => Promise<void>;
};

export const thisBrowser: Browser = {
  channel: (name, onMessage) => {
    const channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }) => onMessage(data as Message));
    let isOpen = true;
    return {
      tell: (message) => {
        if (isOpen) channel.postMessage(message);
      },
      close: () => {
        isOpen = false;
        channel.close();
      },
    };
  },
  alone: async (name, signal, job) => {
    // Pages that came over plain HTTP have no locks. Two windows may then sync at once. That costs requests, and
    // nothing else: what a reply may change is checked in the transaction that stores it.
    if (!("locks" in navigator)) return job();
    await navigator.locks.request(name, { signal }, () => job());
  },
};
