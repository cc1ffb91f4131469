import type { Clock } from "../../domain/base/instant.ts";

/** Things that are awaited for a while, each under a key that names all that it is bound to. */
export type Pending<T> = {
  /** Waits for it from now on; `from` is the network address that made it wait. */
  readonly put: (key: string, value: T, from: string) => void;
  readonly find: (key: string) => T | null;
  /** The same, and nobody gets it again. */
  readonly take: (key: string) => T | null;
};

type Entry<T> = { readonly value: T; readonly from: string; readonly until: number };

/** Anyone can make the server wait for something: all of it together, and one address's part of it. */
const MOST = 10_000;
const SHARE = 100;

/**
 * Keeps things for `lifetime` ms in memory. A full share drops the oldest of the same address, so that one
 * address which asks without end keeps nobody else out.
 */
export const startPending = <T>(lifetime: number, clock: Clock): Pending<T> => {
  // Both in the order in which things were put, so also in that of their ends.
  const entries = new Map<string, Entry<T>>();
  const shares = new Map<string, Set<string>>();

  const drop = (key: string): void => {
    const from = entries.get(key)?.from ?? "";
    entries.delete(key);
    shares.get(from)?.delete(key);
    if (shares.get(from)?.size === 0) shares.delete(from);
  };

  const makeRoom = (from: string): void => {
    for (const [key, { until }] of entries) {
      if (until > clock.steady() && entries.size < MOST) break;
      drop(key);
    }
    const own = shares.get(from) ?? new Set();
    for (const key of own) if (own.size >= SHARE) drop(key);
  };

  const find = (key: string): T | null => {
    const entry = entries.get(key);
    return entry && entry.until > clock.steady() ? entry.value : null;
  };

  return {
    put: (key, value, from) => {
      drop(key);
      makeRoom(from);
      entries.set(key, { value, from, until: clock.steady() + lifetime });
      shares.set(from, (shares.get(from) ?? new Set()).add(key));
    },
    find,
    take: (key) => {
      const value = find(key);
      drop(key);
      return value;
    },
  };
};
