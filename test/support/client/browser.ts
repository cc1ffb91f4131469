import * as memory from "fake-indexeddb";
import type { Browser, Channel, Message } from "../../../src/client/windows.ts";

// IndexedDB of browsers, in memory. The library finds it where browsers have it.
Object.assign(globalThis, { ...memory, default: undefined });

/** What windows of one browser share: locks, channels. All tests share one IndexedDB. */
export const newBrowser = (): Browser => {
  const channels = new Map<string, Set<(message: Message) => void>>();
  const last = new Map<string, Promise<void>>();
  return {
    channel: (name, onMessage): Channel => {
      const all = channels.get(name) ?? new Set();
      channels.set(name, all.add(onMessage));
      return {
        tell: (message) => {
          for (const listener of all)
            if (listener !== onMessage)
              queueMicrotask(() => all.has(listener) && listener(structuredClone(message)));
        },
        close: () => void all.delete(onMessage),
      };
    },
    alone: async (name, signal, job) => {
      const before = last.get(name) ?? Promise.resolve();
      const turn = before.then(() => (signal.aborted ? undefined : job()));
      last.set(
        name,
        turn.catch(() => {}),
      );
      return turn;
    },
  };
};
