import type { Clock } from "../../domain/base/instant.ts";

/** Values kept for a short time, each under a key that names everything it is bound to. */
export type Pending<T> = {
  /** Keeps a value from now on; `from` is the network address that caused it. */
  readonly put: (key: string, value: T, from: string) => void;
  readonly find: (key: string) => T | null;
  /** Finds the value and removes it, so that nobody gets it again. */
  readonly take: (key: string) => T | null;
};

type Entry<T> = { readonly value: T; readonly from: string; readonly until: number };

/** Anyone can make the server keep values. These are the most in all, and the most from one address. */
const MOST = 10_000;
const SHARE = 100;

/**
 * Keeps values for `lifetime` ms in memory. An address that has used up its share loses its own oldest value,
 * so that one address which keeps asking shuts nobody else out.
 */
export const startPending = <T>(lifetime: number, clock: Clock): Pending<T> => {
  // Both are in the order of insertion, which is also the order of expiry.
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
