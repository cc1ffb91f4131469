import { Refusal } from "../../domain/base/refusal.ts";

/** The memory for the bodies of all requests in progress, together. */
export type BodyMemory = {
  /** Starts to count a body for this account; null for a caller without one. */
  readonly hold: (accountId: number | null) => HeldBody;
};

/** One request's share. */
export type HeldBody = {
  /** Refuses (503) a body of that many bytes if there is no room for it now. Counts nothing yet. */
  readonly expect: (bytes: number) => void;
  /** Counts bytes that have arrived. Refuses (503) what there is no room for. */
  readonly add: (bytes: number) => void;
  /** Gives everything back. Harmless if called again. */
  readonly release: () => void;
};

/**
 * Bounds what all bodies take to `limit` bytes, and what those of one account take to half of that, so that one caller
 * with unfinished bodies does not turn the others away. The bytes of a long body count once they have arrived, because an
 * announced length alone takes no memory.
 */
export const startBodyMemory = (limit: number): BodyMemory => {
  let used = 0;
  const usedBy = new Map<number | null, number>();
  const roomFor = (accountId: number | null): number =>
    Math.min(limit - used, Math.floor(limit / 2) - (usedBy.get(accountId) ?? 0));
  const count = (accountId: number | null, bytes: number): void => {
    used += bytes;
    const own = (usedBy.get(accountId) ?? 0) + bytes;
    if (own === 0) usedBy.delete(accountId);
    else usedBy.set(accountId, own);
  };
  return {
    hold: (accountId) => {
      let held = 0;
      const expect = (bytes: number): void => {
        if (bytes > roomFor(accountId)) throw tooBusy();
      };
      return {
        expect,
        add: (bytes) => {
          expect(bytes);
          held += bytes;
          count(accountId, bytes);
        },
        release: () => {
          count(accountId, -held);
          held = 0;
        },
      };
    },
  };
};

const tooBusy = (): Refusal =>
  new Refusal(
    "unavailable",
    "The server is receiving too much at once. Nothing was changed. Try again in a few seconds.",
    { "retry-after": "2" },
  );
